// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/policy/coherence/Guard.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::policy {

/// What does not fit together among the libraries that \p target took from the environment, and
/// what is there for another CUDA major in place of one for this (RL-3 to RL-9). What is unknown
/// about them is not repeated.
std::vector<core::Finding> judgeEnvironment(const core::PythonEnvironment &environment,
                                            const core::Target &target,
                                            const tables::UserTables *more);

} // namespace cudacc::policy
