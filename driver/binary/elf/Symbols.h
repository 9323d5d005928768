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

/// Position of a string table in the file.
struct StringTable {
  uint64_t offset = 0, size = 0;
};
/// Returns the header of .symtab; an empty one if there is none.
llvm::Expected<llvm::ELF::Elf64_Shdr> symbolTable(const Image &image, StringTable &strings);

} // namespace cudacc::binary
