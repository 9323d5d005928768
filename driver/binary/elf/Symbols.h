// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dynamic.h"

namespace cudacc::binary {

/// Dynamic symbols with their versions, in the order of the table: `imports`, `exports` as asked;
/// always `definedVersions`, `versionFiles`, `hasVersionTable`.
llvm::Error readDynamicSymbols(const Image &image, const Dynamic &dynamic, bool imports,
                               bool exports, core::BinaryFacts &facts);

struct ObjectSymbols {
  std::vector<core::Import> undefined;
  /// Global and weak ones; only when asked for.
  std::vector<std::string> defined;
  /// gcc left nothing but its intermediate code (`__gnu_lto_slim`).
  bool slimLto = false;
};
llvm::Error readObjectSymbols(const Image &image, bool defined, ObjectSymbols &symbols);

/// What others can bind to: the conditions of glibc's check_match, and that the linker left it
/// visible.
bool bindable(const llvm::ELF::Elf64_Sym &symbol);

/// Local functions `libcudart_static_<40 hex digits>` in .symtab (SY-25). \p places are those of
/// such a text in the file, if they are known.
llvm::Expected<bool> hasStaticCudart(const Image &image,
                                     std::optional<llvm::ArrayRef<uint64_t>> places = std::nullopt);

} // namespace cudacc::binary
