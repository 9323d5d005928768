// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::config {

/// The prefix of the active environment: VIRTUAL_ENV, then CONDA_PREFIX. Errors: TwoEnvironments
/// where both are set and name different places (F14), BadRequirement where none is.
llvm::Expected<std::string> activeEnvironment(const core::Environment &environment,
                                              core::Files &files);

} // namespace cudacc::config
