// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dynamic.h"

namespace cudacc::binary {

/// Reads the dynamic symbols and their versions, in table order: `imports` and `exports` on
/// request; always `definedVersions`, `versionFiles` and `hasVersionTable`.
llvm::Error readDynamicSymbols(const Image &image, const Dynamic &dynamic, bool imports,
                               bool exports, core::BinaryFacts &facts);

struct ObjectSymbols {
  std::vector<core::Import> undefined;
  /// Global and weak symbols; only filled on request.
  std::vector<std::string> defined;
  /// The object has only gcc's intermediate code (`__gnu_lto_slim`).
  bool slimLto = false;
};
llvm::Error readObjectSymbols(const Image &image, bool defined, ObjectSymbols &symbols);

/// Whether other files can bind to the symbol: the conditions of glibc's check_match, and default
/// or protected visibility.
bool bindable(const llvm::ELF::Elf64_Sym &symbol);

/// Whether .symtab has local functions `libcudart_static_<40 hex digits>` (SY-25). \p places are
/// the file offsets of that prefix, if known.
llvm::Expected<bool> hasStaticCudart(const Image &image,
                                     std::optional<llvm::ArrayRef<uint64_t>> places = std::nullopt);

} // namespace cudacc::binary
