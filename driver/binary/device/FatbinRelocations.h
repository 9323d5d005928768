// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/FatbinWrappers.h"

namespace cudacc::binary {

/// The pointer of one wrapper.
struct WrapperSlot {
  /// Where the pointer is: an address, in an object an offset in its section.
  uint64_t address;
  /// As stored; once resolved the address of the container, in an object its offset in the file.
  uint64_t value;
  /// Offset of the wrapper in the file.
  uint64_t offset;
  /// As in the range.
  uint64_t section;
  bool linked;
  bool resolved = false;
};

/// PT_LOAD segments by address.
class LoadMap {
public:
  explicit LoadMap(const Image &image);
  /// Offset in the file of what lies at \p address, of which \p size bytes are in the file.
  std::optional<uint64_t> offsetOf(uint64_t address, uint64_t size) const;

private:
  const Image &image;
  std::vector<llvm::ELF::Elf64_Phdr> loads;
};

/// Resolves the slots of a linked file, sorted by address, that a relocation names. The others have
/// their address in place: packed as RELR, or not position-independent.
llvm::Error resolveLinked(const Image &image, const LoadMap &map,
                          llvm::MutableArrayRef<WrapperSlot> slots);
/// Those of an object, in the order of \p ranges, which are sorted by section.
llvm::Error resolveObject(const Image &image, llvm::ArrayRef<WrapperRange> ranges,
                          llvm::MutableArrayRef<WrapperSlot> slots);

} // namespace cudacc::binary
