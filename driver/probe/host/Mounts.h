// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/ADT/StringSet.h"
#include <set>

namespace cudacc::probe {

/// Mounts of this machine from which nothing can be executed, and so no library be mapped.
class Mounts {
public:
  /// Of /proc/self/mountinfo.
  static Mounts read(core::Files &files);
  static Mounts parse(llvm::StringRef mountinfo);

  /// Whether the file lies below one. \p device is that of the file (st_dev): on any other device
  /// nothing else is asked.
  bool isNoExec(llvm::StringRef path, uint64_t device, core::Files &files) const;

private:
  struct Mount {
    std::string point;
    bool noExec = false;
  };
  /// In the order of the file: a later one covers an earlier one at the same point.
  std::vector<Mount> mounts;
  std::set<uint64_t> devices;
  /// A file system whose files have other devices than its mount.
  bool anyDevice = false;
};

} // namespace cudacc::probe
