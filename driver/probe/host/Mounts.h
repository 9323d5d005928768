// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace cudacc::probe {

/// The noexec mounts of this machine, from which libraries cannot be mapped.
class Mounts {
public:
  /// Parses /proc/self/mountinfo; no mounts if it cannot be read.
  static Mounts read(core::Files &files);
  static Mounts parse(llvm::StringRef mountinfo);

  /// Whether the file lies on a noexec mount. \p device is the file's st_dev; if no noexec mount
  /// has that device, nothing else is looked up.
  bool isNoExec(llvm::StringRef path, uint64_t device, core::Files &files) const;

private:
  struct Mount {
    std::string point;
    bool noExec = false;
  };
  /// In file order: a later mount hides an earlier one at the same point.
  std::vector<Mount> mounts;
  std::set<uint64_t> devices;
  /// A noexec mount's file system reports other devices for its files than for the mount (btrfs,
  /// overlay, bcachefs), so the device alone cannot exclude a file.
  bool anyDevice = false;
};

} // namespace cudacc::probe
