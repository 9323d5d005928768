// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// The parts of the runtime that a link names.
struct RuntimeUse {
  std::vector<const core::TargetLibrary *> rows;
  /// It links libraries of the framework itself.
  bool framework = false;
};

/// The search path to \p use and everything that those libraries need, relative to the output.
std::vector<std::string> runtimePath(const core::Declaration &declaration,
                                     const core::Target &target, const RuntimeUse &use);

/// The absolute directories of the same libraries in an environment: below its site-packages, and
/// where conda's libraries lie (F18). Empty if the target comes from the tables.
std::vector<std::string> runtimePlaces(const core::Target &target, const RuntimeUse &use);

} // namespace cudacc::plan
