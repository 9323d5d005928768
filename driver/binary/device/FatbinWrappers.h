// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/DeviceCode.h"

namespace cudacc::binary {

constexpr uint32_t WrapperMagic = 0x466243B1;
/// FB-10.
struct Wrapper {
  uint32_t magic;
  /// 1: a translation unit; 2: the result of the device link.
  uint32_t version;
  uint64_t container, more;
};
static_assert(sizeof(Wrapper) == 24);

/// Where a wrapper points to.
struct WrapperTarget {
  /// The file offset, of a container unless the file is damaged (FB-12); 0: outside of the file.
  uint64_t offset;
  bool linked;
  /// The file offset of the wrapper.
  uint64_t wrapper;
  auto operator<=>(const WrapperTarget &) const = default;
};

/// A range of wrappers in the file. `address` is that of the first in a linked file and 0 in an
/// object; `section` is the index of their section.
struct WrapperRange {
  uint64_t offset, size, address, section;
};

/// Follows the wrappers' pointers in all forms of FB-11; the result is sorted. Broken and
/// unknown wrappers are noted as clauses in \p device.
llvm::Expected<std::vector<WrapperTarget>>
readWrappers(const Image &image, llvm::ArrayRef<WrapperRange> ranges, core::DeviceCode &device);

} // namespace cudacc::binary
