// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// The least version of one library that exports everything a file imports from it (SY-7).
struct LibraryFloor {
  std::string soname;
  /// Distribution of that version (`nvidia-nvjitlink-cu12`); empty: no wheel brings it.
  std::string dist;
  /// Release parts empty: no opened version of the CUDA major has all names, or nothing is known.
  versions::Version least;
  /// Toolkit line of `least`; 0.0 for parts that no toolkit numbers.
  versions::CudaVersion cuda;
  /// `least` is the oldest version that was opened: older ones may serve as well.
  bool oldestOpened = false;
  /// Newer versions of the same major that lack one of the names again (SY-8), ascending.
  std::vector<std::string> exceptions;
  /// Names that fix `least`; empty where the oldest has all of them.
  std::vector<std::string> deciding;
  /// Names of which the tables know nothing.
  std::vector<std::string> unknown;
  /// Imported from this library, weak ones left out.
  uint64_t imports = 0;

  bool known() const { return !least.release.empty(); }
  /// `nvidia-nvjitlink-cu12>=12.5.40,<13`, exceptions as `!=`; empty without `least` or `dist`.
  std::string requirement;
};

} // namespace cudacc::core
