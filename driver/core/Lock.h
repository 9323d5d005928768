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

/// A package that a lock pins for the environment that was asked about.
struct LockedPackage {
  /// Normalised: `nvidia-nvjitlink-cu12`; the package's name for conda (`libnvjitlink`).
  std::string name;
  /// Without numbers: the lock does not say it, or not after PEP 440.
  versions::Version version;
  /// The version as written.
  std::string text;
  /// As written; empty: none.
  std::string marker;
  bool conda = false;
  /// As it should be printed (`uv.lock`), and 1-based.
  std::string file;
  unsigned line = 0;
  /// True, or Unknown where it hangs on what the environment does not say: the Python version, an
  /// extra, a group.
  versions::Truth applies = versions::Truth::True;

  /// `uv.lock:123`.
  std::string place() const { return fmt::format("{}:{}", file, line); }
};

/// The pins of a lock for one environment; what cannot apply there is left out.
struct LockReading {
  /// `uv.lock`.
  std::string shown;
  /// The machine that was asked about (`aarch64`); empty: none.
  std::string machine;
  /// In the order of the lock; a name may have several versions.
  std::vector<LockedPackage> packages;
  /// What was read and could not be understood; none of it stopped the reading.
  std::vector<Finding> problems;
  /// The files that were read; while these are unchanged the rest holds.
  std::vector<FileId> inputs;
};

} // namespace cudacc::core
