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

/// Rows that look-ups consider in addition to the built-in tables (UserTables.h). Null means none.
struct UserTables;

/// A release of the CUDA toolkit whose component versions are known (ctk_component_versions).
struct ToolkitRelease {
  unsigned major = 0, minor = 0, patch = 0;
  /// Index among the releases of the built-in tables, or of `from`.
  uint16_t index = 0;
  const UserTables *from = nullptr;

  versions::CudaVersion line() const { return {major, minor}; }
  auto number() const { return std::tuple(major, minor, patch); }
  /// `12.4.1`.
  std::string str() const;
};

/// In ascending order.
std::vector<ToolkitRelease> toolkitReleases(const UserTables *more = nullptr);
/// The distinct lines (minors) of those releases, ascending.
std::vector<versions::CudaVersion> toolkitLines(const UserTables *more = nullptr);
/// The distinct majors of those releases, ascending.
std::vector<unsigned> toolkitMajors(const UserTables *more = nullptr);
std::optional<ToolkitRelease> findToolkitRelease(unsigned major, unsigned minor, unsigned patch,
                                                 const UserTables *more = nullptr);

/// The first release of a line. `cuda==12.4` guarantees only what 12.4.0 has, because a machine
/// with 12.4 may have that release; to require 12.4.1, declare `cuda==12.4.1`. 11.4 starts at
/// 11.4.2, the oldest with known components, and 13.4 at 13.4.1, its first.
std::optional<ToolkitRelease> firstRelease(versions::CudaVersion line,
                                           const UserTables *more = nullptr);
std::optional<ToolkitRelease> newestRelease(versions::CudaVersion line,
                                            const UserTables *more = nullptr);

/// Version of a distribution in that toolkit release. Empty if the release does not contain it.
llvm::StringRef componentVersion(const ToolkitRelease &release, llvm::StringRef dist);

/// The toolkit releases that contain this version of the distribution; there can be several
/// (runtime 13.1.80 is in 13.1.0 to 13.1.2). A `.postN` counts as the version without it, unless it
/// has its own row. Empty if unknown or not part of the toolkit (cuDNN, NCCL).
llvm::SmallVector<ToolkitRelease, 4> releasesOf(llvm::StringRef dist,
                                                const versions::Version &version,
                                                const UserTables *more = nullptr);

/// The CUDA line to which a component version belongs; 0.0 if unknown. EV-2: if versions of the
/// distribution begin with the toolkit's minor, their first two numbers, even of an unknown
/// version; otherwise the tables decide. From 13.3 on CCCL has its own versions and uses the
/// tables.
versions::CudaVersion lineOf(llvm::StringRef dist, const versions::Version &version,
                             const UserTables *more = nullptr);

} // namespace cudacc::tables
