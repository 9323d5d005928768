// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::policy {

/// Incompatible versions among the libraries that \p target took from the environment, and
/// libraries for another CUDA major where one for this major is missing (RL-3 to RL-9). Facts that
/// could not be determined are not reported again.
std::vector<core::Finding> judgeEnvironment(const core::PythonEnvironment &environment,
                                            const core::Target &target,
                                            const tables::UserTables *more);

} // namespace cudacc::policy
