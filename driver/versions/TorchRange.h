// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Exported.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::versions {

/// The releases of torch that export everything a file imports from torch's libraries. A range and
/// no floor: names come and go.
struct TorchRange {
  struct Release {
    /// `2.5.1`.
    std::string release;
    /// Whether it exports all of the names.
    Exported has = Exported::Unknown;
  };
  /// Ascending, from the oldest release that was read on.
  std::vector<Release> releases;
  /// Names of torch's that the file imports, weak ones left out; 0: none.
  uint64_t imports = 0;
  /// All of them are of torch's stable ABI: what the newest release has, later ones keep.
  bool isStable = false;

  bool known() const { return imports != 0 && !releases.empty(); }
  /// Some release has all of the names.
  bool any() const;
  /// `>=2.8,<2.12`; `>=2.1,<2.3 or >=2.8,<=2.16.0`, since nothing is known of releases behind the
  /// newest that was read, but for the stable ABI (`>=2.10`); `none`. Unread releases between are
  /// named behind it.
  std::string text() const;
  /// As metadata has it, one specifier: `>=2.1,<2.12,!=2.3.0`; empty: no release has all names.
  std::string specifier() const;
  /// The releases that fit both files.
  void meet(const TorchRange &other);
};

} // namespace cudacc::versions
