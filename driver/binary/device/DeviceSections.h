// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/FatbinWrappers.h"

namespace cudacc::binary {

/// A part of a file by offsets; `section` is the index of the section it is, if it is one.
struct ByteRange {
  uint64_t begin, end, section = 0;
};

/// Where device code can lie in a file.
struct DeviceSections {
  /// Section names can be read; without them only `data` is filled, of a linked file by segments.
  bool named = false;
  std::vector<ByteRange> fatbins, relocatable;
  std::vector<WrapperRange> wrappers;
  /// Other data a container may lie in (FB-5).
  std::vector<ByteRange> data;
};

/// More sections of a kind, or wrappers outside sections, are not looked at.
constexpr size_t MaxRanges = 1 << 17;

/// Also sets the hints in \p device. `data` is wanted only when \p deep, or without names.
llvm::Expected<DeviceSections> findDeviceSections(const Image &image, bool deep,
                                                  core::DeviceCode &device);

/// The name of a section, cut after \p most bytes; empty when it lies outside the table of names.
llvm::Expected<std::string> sectionName(const Image &image, uint64_t index, size_t most);

} // namespace cudacc::binary
