// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/resolve/Candidates.h"
#include "driver/tables/lookup/Runtime.h"
#include <vector>

namespace cudacc::resolve {

/// The oldest version of a library so far, and the candidate that has it.
struct MinimumVersion {
  tables::RuntimeLibrary library;
  const Candidate *candidate = nullptr;
  llvm::SmallVector<llvm::StringRef, 0> otherFolders;
};

/// Of each library that all candidates have the oldest version, by soname. \p named: their toolkit
/// releases count, else the first of the line does. Refers to the candidates.
std::vector<MinimumVersion> minimumVersionsOf(const CandidateSet &candidates, bool named);

/// What two frameworks bring that are installed together: of a library that both require the newer
/// version, which either allows.
std::vector<MinimumVersion> jointVersions(std::vector<MinimumVersion> one,
                                          std::vector<MinimumVersion> other);

/// Rows of a target, each with where its version comes from.
std::vector<core::TargetLibrary> rowsOf(llvm::ArrayRef<MinimumVersion> minimum, bool named);

} // namespace cudacc::resolve
