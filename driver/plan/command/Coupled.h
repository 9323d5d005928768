// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Rows of the target that \p row is coupled to, directly or indirectly (RP-12), in breadth-first
/// order. Libraries only opened by dlopen are left out.
std::vector<const core::TargetLibrary *> coupledTo(const core::Target &target,
                                                   const core::TargetLibrary &row);

/// Folders under site-packages of \p rows, then of all libraries that these need or open by dlopen,
/// without duplicates.
std::vector<std::string> foldersOf(const core::Target &target,
                                   llvm::ArrayRef<const core::TargetLibrary *> rows);

} // namespace cudacc::plan
