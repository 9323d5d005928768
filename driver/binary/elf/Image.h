// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>
#include <vector>

namespace cudacc::binary {

/// The validated headers of an ELF64 little-endian file.
struct Image {
  Bytes &bytes;
  llvm::ELF::Elf64_Ehdr header{};
  std::vector<llvm::ELF::Elf64_Phdr> segments{};
  /// Section headers stay in the file; 0 if there are none.
  uint64_t sectionCount = 0;

  static llvm::Expected<Image> open(Bytes &bytes);

  const llvm::ELF::Elf64_Phdr *segment(uint32_t type) const;
  /// The segment in whose file part \p size bytes from \p address on are mapped; null if none.
  const llvm::ELF::Elf64_Phdr *segmentAt(uint64_t address, uint64_t size) const;
  /// File offset of \p address; \p size bytes from there must be in one segment's file part.
  llvm::Expected<uint64_t> offsetOf(uint64_t address, uint64_t size, const char *what) const;
  llvm::Error
  eachSection(llvm::function_ref<llvm::Error(uint64_t, const llvm::ELF::Elf64_Shdr &)> visit) const;
  llvm::Expected<llvm::ELF::Elf64_Shdr> section(uint64_t index) const;
};

/// The type of a file, from its first bytes.
struct Identity {
  /// `readable`: ELF64, little-endian, x86-64 or aarch64.
  bool elf = false, readable = false, archive = false, thinArchive = false;
  /// LLVM bitcode, with or without wrapper.
  bool bitcode = false;
  /// A file of device code only: a fatbin container, LTO-IR of nvcc, or an ELF file for a GPU,
  /// which is not `readable`.
  bool fatbin = false, ltoIr = false, cubin = false;
  /// ELF only.
  uint16_t machine = 0;
  /// Why an ELF file is not readable, as in BinaryFacts (FB-29).
  std::string notAudited;
};
llvm::Expected<Identity> identify(Bytes &bytes);

} // namespace cudacc::binary
