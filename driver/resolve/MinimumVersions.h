// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/resolve/Candidates.h"
#include "driver/tables/lookup/Runtime.h"
#include <vector>

namespace cudacc::resolve {

/// The oldest version of a library among candidates, and the candidate that has it.
struct MinimumVersion {
  tables::RuntimeLibrary library;
  const RuntimeCandidate *candidate = nullptr;
  llvm::SmallVector<llvm::StringRef, 0> otherFolders;
};

/// The oldest version of each library that all candidates have, by SONAME. \p named: use the
/// candidates' toolkit releases, else the first release of their line. The result refers to the
/// candidates.
std::vector<MinimumVersion> minimumVersionsOf(const CandidateSet &candidates, bool named);

/// The libraries of two frameworks that are installed together: for a library that both require,
/// the newer version, which both allow.
std::vector<MinimumVersion> jointVersions(std::vector<MinimumVersion> one,
                                          std::vector<MinimumVersion> other);

/// The rows of a target, each with the origin of its version.
std::vector<core::TargetLibrary> rowsOf(llvm::ArrayRef<MinimumVersion> minimum, bool named);

} // namespace cudacc::resolve
