// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/DeviceCode.h"

namespace cudacc::binary {

constexpr uint32_t WrapperMagic = 0x466243B1;
/// FB-10.
struct Wrapper {
  uint32_t magic;
  /// 1: a translation unit, 2: the result of the device link.
  uint32_t version;
  uint64_t container, more;
};
static_assert(sizeof(Wrapper) == 24);

/// A container that a wrapper points to, by its offset in the file.
struct WrapperTarget {
  uint64_t offset;
  bool linked;
  auto operator<=>(const WrapperTarget &) const = default;
};

/// Where wrappers lie in the file. In a linked file `address` is that of the first, in an object 0;
/// `section` is the index of their section.
struct WrapperRange {
  uint64_t offset, size, address, section;
};

/// Follows the wrappers' pointers in all forms of FB-11; sorted. Those that point at no container
/// (FB-12) are clauses in \p device.
llvm::Expected<std::vector<WrapperTarget>>
readWrappers(const Image &image, llvm::ArrayRef<WrapperRange> ranges, core::DeviceCode &device);

} // namespace cudacc::binary
