// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/BinaryFormat/ELF.h"
#include <string>
#include <vector>

namespace cudacc::binary {

/// One section of a file that is being written, behind the null section.
struct OutSection {
  const char *name;
  uint32_t type;
  uint64_t flags = 0;
  uint64_t align = 1;
  std::string data{};
  /// Index of another section, or a count, as the type asks.
  uint32_t link = 0, info = 0;
  uint64_t entrySize = 0;
  /// Set by `place`.
  uint64_t offset = 0;
};

template <typename T> void appendStruct(std::string &out, const T &value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

llvm::ELF::Elf64_Ehdr fileHeader(uint16_t type, uint16_t machine);
/// Gives every section its place behind \p from, in order; returns the end.
uint64_t place(std::vector<OutSection> &sections, uint64_t from);
/// Appends .shstrtab, puts everything behind \p segments, and the section headers at the end.
/// Section addresses equal their offsets for allocated sections of shared objects, else are 0.
std::string assemble(llvm::ELF::Elf64_Ehdr header,
                     const std::vector<llvm::ELF::Elf64_Phdr> &segments,
                     std::vector<OutSection> sections);

} // namespace cudacc::binary
