// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>
#include <vector>

namespace cudacc::binary {

/// The headers of one ELF64 little-endian file, checked.
struct Image {
  Bytes &bytes;
  llvm::ELF::Elf64_Ehdr header{};
  std::vector<llvm::ELF::Elf64_Phdr> segments{};
  /// Section headers stay in the file; 0 when there are none.
  uint64_t sectionCount = 0;

  static llvm::Expected<Image> open(Bytes &bytes);

  const llvm::ELF::Elf64_Phdr *segment(uint32_t type) const;
  /// Offset in the file of what lies at \p address, of which \p size bytes must be in one segment's
  /// file part.
  llvm::Expected<uint64_t> offsetOf(uint64_t address, uint64_t size, const char *what) const;
  llvm::Error
  eachSection(llvm::function_ref<llvm::Error(uint64_t, const llvm::ELF::Elf64_Shdr &)> visit) const;
  llvm::Expected<llvm::ELF::Elf64_Shdr> section(uint64_t index) const;
};

/// What the first bytes say.
struct Identity {
  /// `readable`: ELF64, little-endian, x86-64 or aarch64.
  bool elf = false, readable = false, archive = false, thinArchive = false;
  /// LLVM bitcode, plain or wrapped.
  bool bitcode = false;
  /// Device code in a file of its own: a container of fatbins, LTO-IR of nvcc, or an ELF file of a
  /// GPU, which is not `readable`.
  bool fatbin = false, ltoIr = false, cubin = false;
  /// ELF only.
  uint16_t machine = 0;
  /// Of an ELF file that is not readable, as BinaryFacts has it (FB-29).
  std::string notAudited;
};
llvm::Expected<Identity> identify(Bytes &bytes);

} // namespace cudacc::binary
