// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Rows of the target that \p row is coupled to, and those that they are coupled to in turn
/// (RP-12): the nearest first, in the order they name them; what is only opened by dlopen is left
/// out.
std::vector<const core::TargetLibrary *> coupledTo(const core::Target &target,
                                                   const core::TargetLibrary &row);

/// Folders under site-packages of \p rows, then of all that they lead to, opened by dlopen or not,
/// each once.
std::vector<std::string> foldersOf(const core::Target &target,
                                   llvm::ArrayRef<const core::TargetLibrary *> rows);

} // namespace cudacc::plan
