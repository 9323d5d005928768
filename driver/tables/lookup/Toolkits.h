// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace cudacc::tables {

/// Rows beside the tables (UserTables.h). Look-ups that take one see them too; null: none.
struct UserTables;

/// A release of the CUDA toolkit whose component versions are known (ctk_component_versions).
struct ToolkitRelease {
  unsigned major = 0, minor = 0, patch = 0;
  /// Position among the releases of the tables, or of `from`.
  uint16_t index = 0;
  const UserTables *from = nullptr;

  versions::CudaVersion line() const { return {major, minor}; }
  auto number() const { return std::tuple(major, minor, patch); }
  /// `12.4.1`.
  std::string str() const;
};

/// Ascending.
std::vector<ToolkitRelease> toolkitReleases(const UserTables *more = nullptr);
/// The lines (minors) of those releases, ascending, each once.
std::vector<versions::CudaVersion> toolkitLines(const UserTables *more = nullptr);
std::optional<ToolkitRelease> findToolkitRelease(unsigned major, unsigned minor, unsigned patch,
                                                 const UserTables *more = nullptr);

/// The first release of a line: what `cuda==12.4` promises is what 12.4.0 had, since a machine that
/// runs 12.4 may run that. A declaration that means 12.4.1 says `cuda==12.4.1`. 11.4 starts at
/// 11.4.2, the oldest whose components are known, and 13.4 at 13.4.1, its first that was released.
std::optional<ToolkitRelease> firstRelease(versions::CudaVersion line,
                                           const UserTables *more = nullptr);
std::optional<ToolkitRelease> newestRelease(versions::CudaVersion line,
                                            const UserTables *more = nullptr);

/// Version of a distribution's component in that release; empty: the release has no such component.
llvm::StringRef componentVersion(const ToolkitRelease &release, llvm::StringRef dist);

/// The releases that have this version of the distribution's component: one number may serve
/// several (runtime 13.1.80 is in 13.1.0 to 13.1.2). A `.postN` counts as the version without it,
/// unless it has a row of its own. Empty: unknown, or not a part of the toolkit (cuDNN, NCCL).
llvm::SmallVector<ToolkitRelease, 4> releasesOf(llvm::StringRef dist,
                                                const versions::Version &version,
                                                const UserTables *more = nullptr);

/// The CUDA line a component version belongs to; 0.0 unknown. EV-2: where versions of the
/// distribution begin with the toolkit's minor, by its own first two numbers (known version or
/// not); otherwise by the tables. CCCL is numbered on its own from 13.3 on and goes by the tables.
versions::CudaVersion lineOf(llvm::StringRef dist, const versions::Version &version,
                             const UserTables *more = nullptr);

} // namespace cudacc::tables
