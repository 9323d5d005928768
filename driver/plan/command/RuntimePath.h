// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// What of the runtime a link names.
struct RuntimeUse {
  std::vector<const core::TargetLibrary *> rows;
  /// Libraries of the framework's own.
  bool framework = false;
};

/// The search path to \p use and to all that it leads to, relative to the artefact.
std::vector<std::string> runtimePath(const core::Declaration &declaration,
                                     const core::Target &target, const RuntimeUse &use);

/// Where an environment has them, absolute: below its site-packages, and where conda's libraries
/// lie (F18). Empty when the target comes from tables.
std::vector<std::string> runtimePlaces(const core::Target &target, const RuntimeUse &use);

} // namespace cudacc::plan
