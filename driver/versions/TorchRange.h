// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::versions {

/// The torch releases that export everything a file imports from torch's libraries. Not a floor,
/// because names are added and removed.
struct TorchRange {
  struct Release {
    /// `2.5.1`.
    std::string release;
    /// Whether it exports all of the names.
    Exported has = Exported::Unknown;
  };
  /// Ascending, starting with the oldest release that was read.
  std::vector<Release> releases;
  /// Number of torch names that the file imports, without weak ones; 0 if none.
  uint64_t imports = 0;
  /// All of them belong to torch's stable ABI: releases after the newest one keep what it exports.
  bool isStable = false;

  bool known() const { return imports != 0 && !releases.empty(); }
  /// At least one release has all names.
  bool any() const;
  /// The release is known to have all names.
  bool includes(llvm::StringRef release) const;
  /// `>=2.8,<2.12`, `>=2.1,<2.3 or >=2.8,<=2.16.0`, or `none`. A range that reaches the newest
  /// release read ends there, because later ones are unknown; with the stable ABI it is open
  /// (`>=2.10`). Releases that were not read are appended.
  std::string text() const;
  /// One specifier for metadata: `>=2.1,<2.12,!=2.3.0`. Empty if no release has all names.
  std::string specifier() const;
  /// Restricts the range to the releases that fit both files.
  void meet(const TorchRange &other);
};

} // namespace cudacc::versions
