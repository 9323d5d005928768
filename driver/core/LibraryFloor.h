// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// The minimum version of one library that exports everything a file imports from it (SY-7).
struct LibraryFloor {
  std::string soname;
  /// Distribution of that version (`nvidia-nvjitlink-cu12`). Empty if no wheel has the library.
  std::string dist;
  /// Without numbers if no version read for the CUDA major has all names or nothing is known.
  versions::Version least;
  /// Toolkit line of `least`; 0.0 for libraries that do not follow the toolkit's versions.
  versions::CudaVersion cuda;
  /// The least toolkit line of any CUDA major whose library of that name has all of the names:
  /// libcusparse.so.12 is in CUDA 12 and 13. 0.0 if that is `cuda`.
  versions::CudaVersion serves;
  /// `least` is the oldest version that was read; older ones may work as well.
  bool oldestOpened = false;
  /// Newer versions of the same major that lack one of the names again (SY-8), ascending.
  std::vector<std::string> exceptions;
  /// Names that require `least`. Empty if the oldest version already has all of them.
  std::vector<std::string> deciding;
  /// Names that are not in the tables.
  std::vector<std::string> unknown;
  /// Number of imports from this library, without weak ones.
  uint64_t imports = 0;

  bool known() const { return !least.release.empty(); }
  /// `nvidia-nvjitlink-cu12>=12.5.40,<13`, exceptions as `!=`. Empty without `least` or `dist`.
  std::string requirement;
};

} // namespace cudacc::core
