// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/FatbinWrappers.h"

namespace cudacc::binary {

/// The pointer in one wrapper.
struct WrapperSlot {
  /// Position of the pointer: an address, or in an object an offset in its section.
  uint64_t address;
  /// The stored value; once resolved, the container's address, or in an object its file offset.
  uint64_t value;
  /// File offset of the wrapper.
  uint64_t offset;
  /// Section index, as in WrapperRange.
  uint64_t section;
  bool linked;
  bool resolved = false;
};

/// The PT_LOAD segments, for look-up by address.
class LoadMap {
public:
  explicit LoadMap(const Image &image);
  /// File offset of \p address if \p size bytes from there are in the file.
  std::optional<uint64_t> offsetOf(uint64_t address, uint64_t size) const;

private:
  const Image &image;
  std::vector<llvm::ELF::Elf64_Phdr> loads;
};

/// Resolves those slots of a linked file, sorted by address, to which a relocation applies. The
/// others contain their address: packed as RELR, or not position-independent.
llvm::Error resolveLinked(const Image &image, const LoadMap &map,
                          llvm::MutableArrayRef<WrapperSlot> slots);
/// Resolves the slots of an object, in the order of \p ranges, which are sorted by section.
llvm::Error resolveObject(const Image &image, llvm::ArrayRef<WrapperRange> ranges,
                          llvm::MutableArrayRef<WrapperSlot> slots);

} // namespace cudacc::binary
