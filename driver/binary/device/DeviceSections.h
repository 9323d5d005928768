// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/device/FatbinWrappers.h"

namespace cudacc::binary {

/// A part of a file; `section` is the index of the section it is, or 0.
struct ByteRange {
  uint64_t begin, end, section = 0;
};

/// The parts of a file that can contain device code.
struct DeviceSections {
  /// Section names can be read. If not, only `data` is filled, for a linked file from segments.
  bool named = false;
  std::vector<ByteRange> fatbins, relocatable;
  std::vector<WrapperRange> wrappers;
  /// Other data that may contain containers (FB-5).
  std::vector<ByteRange> data;
};

/// Limit per kind of section, and for wrappers outside of sections; the others are ignored.
constexpr size_t MaxRanges = 1 << 17;

/// Also sets the hints in \p device. `data` is filled only if \p deep or without names.
llvm::Expected<DeviceSections> findDeviceSections(const Image &image, bool deep,
                                                  core::DeviceCode &device);

/// The name of a section, cut off after \p most bytes; empty if it is outside the table of names.
llvm::Expected<std::string> sectionName(const Image &image, uint64_t index, size_t most);

} // namespace cudacc::binary
