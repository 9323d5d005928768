// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "driver/versions/Format.h"
#include "driver/versions/Marker.h"
#include "driver/versions/Version.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// A package that a lock file pins for the given environment.
struct LockedPackage {
  /// Normalised: `nvidia-nvjitlink-cu12`. For conda the package's own name (`libnvjitlink`).
  std::string name;
  /// Without numbers if the lock file states none, or none that follows PEP 440.
  versions::Version version;
  /// The version as written.
  std::string text;
  /// As written. Empty if there is none.
  std::string marker;
  bool conda = false;
  /// As it should be printed (`uv.lock`); the line is 1-based.
  std::string file;
  unsigned line = 0;
  /// True; or Unknown if it depends on something the environment does not specify: the Python
  /// version, an extra, a group.
  versions::Truth applies = versions::Truth::True;

  /// `uv.lock:123`.
  std::string place() const { return fmt::format("{}:{}", file, line); }
};

/// The pins of a lock file for one environment, without those that cannot apply to it.
struct LockReading {
  /// `uv.lock`.
  std::string shown;
  /// The requested machine (`aarch64`). Empty if none was given.
  std::string machine;
  /// In lock file order. A name may occur with several versions.
  std::vector<LockedPackage> packages;
  /// Parts that could not be interpreted. None of them stopped the parser.
  std::vector<Finding> problems;
  /// The files that were read. The result is valid while they are unchanged.
  std::vector<FileId> inputs;
};

} // namespace cudacc::core
