// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace cudacc::resolve {

/// One of NVIDIA's distributions that a lock file pins, and what the tables know about it.
struct PinnedDist {
  const core::LockedPackage *package = nullptr;
  /// A second pin with another version, if nothing says which one is installed; else null.
  const core::LockedPackage *rival = nullptr;
  /// The distribution under which the tables list it: for a conda package, the wheel with the same
  /// component.
  std::string dist;
  /// CUDA major it was built for.
  unsigned major = 0;
  /// 0.0 if no toolkit contains it, or not known.
  versions::CudaVersion line;
  /// Empty if the tables know no library of that version.
  llvm::SmallVector<llvm::StringRef, 12> sonames;

  /// Whether the installed version is known.
  bool known() const { return !rival && !package->version.release.empty(); }
  bool isRuntime() const;
};

struct PinnedTorch {
  const core::LockedPackage *package = nullptr, *rival = nullptr;
  /// The release, if the tables know it.
  std::optional<tables::TorchRelease> release;
  std::optional<tables::TorchLine> line;
  /// PyPI's wheel of it has no CUDA for the machine that the lock file was read for.
  bool withoutCuda = false;
  /// A conda package: its dependencies are in the lock file too.
  bool conda = false;

  bool known() const { return package && !rival && !package->version.release.empty(); }
  /// The version with the label of its build, which PyPI's version lacks; empty if torch is not
  /// pinned.
  std::string str() const;
};

/// In the order of the lock file, each distribution once.
std::vector<PinnedDist> pinnedDists(const core::LockReading &lock,
                                    const tables::UserTables *more = nullptr);
PinnedTorch pinnedTorch(const core::LockReading &lock, const tables::UserTables *more = nullptr);

} // namespace cudacc::resolve
