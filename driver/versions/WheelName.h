// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::versions {

/// The parts of a wheel's file name: `x-1.0-cp311-cp311-manylinux_2_28_x86_64.whl`. They point into
/// the text.
struct WheelName {
  /// Of the distribution, as written.
  llvm::StringRef name, version;
  /// Empty if there is none.
  llvm::StringRef build;
  llvm::StringRef python, abi, platform;
  /// Variant label of PEP 825 (draft); empty if there is none.
  llvm::StringRef variant;

  /// \p file is a name without folder. std::nullopt if it is none of a wheel.
  static std::optional<WheelName> parse(llvm::StringRef file);
  /// `cp39-abi3-manylinux_2_28_x86_64`.
  std::string tags() const;
};

} // namespace cudacc::versions
