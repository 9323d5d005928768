// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/BinaryFormat/ELF.h"
#include <string>
#include <vector>

namespace cudacc::binary {

/// One section of a file to be written, without the null section.
struct OutSection {
  const char *name;
  uint32_t type;
  uint64_t flags = 0;
  uint64_t align = 1;
  std::string data{};
  /// Another section's index or a count, depending on the type.
  uint32_t link = 0, info = 0;
  uint64_t entrySize = 0;
  /// Set by `place`.
  uint64_t offset = 0;
};

template <typename T> void appendStruct(std::string &out, const T &value) {
  out.append(reinterpret_cast<const char *>(&value), sizeof(T));
}

llvm::ELF::Elf64_Ehdr fileHeader(uint16_t type, uint16_t machine);
/// Assigns offsets to all sections from \p from on, in order; returns the end.
uint64_t place(std::vector<OutSection> &sections, uint64_t from);
/// Appends .shstrtab, places all sections after \p segments, and the section headers at the end.
/// Section addresses equal the offsets for allocated sections of shared objects and are 0
/// otherwise.
std::string assemble(llvm::ELF::Elf64_Ehdr header,
                     const std::vector<llvm::ELF::Elf64_Phdr> &segments,
                     std::vector<OutSection> sections);

} // namespace cudacc::binary
