// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace cudacc::resolve {

/// A distribution of NVIDIA's that a lock pins, with what the tables say about it.
struct PinnedDist {
  const core::LockedPackage *package = nullptr;
  /// Pinned too, in another version, and nothing tells which one is installed; null: none.
  const core::LockedPackage *rival = nullptr;
  /// The distribution under which the tables know it: for a conda package, the wheel that brings
  /// the same component.
  std::string dist;
  /// CUDA major it is for.
  unsigned major = 0;
  /// 0.0: not numbered by toolkits, or not known.
  versions::CudaVersion line;
  /// Empty: the tables know no library of that version.
  llvm::SmallVector<llvm::StringRef, 12> sonames;

  /// It is known which version is installed.
  bool known() const { return !rival && !package->version.release.empty(); }
  bool isRuntime() const;
};

struct PinnedTorch {
  const core::LockedPackage *package = nullptr, *rival = nullptr;
  /// A build of torch that the tables know; nothing: they know none of that number.
  std::optional<tables::TorchRelease> release;
  std::optional<tables::TorchLine> line;
  /// PyPI's wheel of it has no CUDA for the machine that the lock was read for.
  bool withoutCuda = false;
  /// A conda package: what it needs is in the lock beside it.
  bool conda = false;

  bool known() const { return package && !rival && !package->version.release.empty(); }
  /// With the label of its build, which PyPI's number lacks; empty: none is pinned.
  std::string str() const;
};

/// In the order of the lock, each once.
std::vector<PinnedDist> pinnedDists(const core::LockReading &lock,
                                    const tables::UserTables *more = nullptr);
PinnedTorch pinnedTorch(const core::LockReading &lock, const tables::UserTables *more = nullptr);

} // namespace cudacc::resolve
