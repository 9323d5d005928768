// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/Support/Error.h"
#include <string>

namespace cudacc::config {

/// Prefix of the active environment: VIRTUAL_ENV, else CONDA_PREFIX. Errors: TwoEnvironments if
/// both are set to different directories (F14), BadRequirement if neither is set.
llvm::Expected<std::string> activeEnvironment(const core::Environment &environment,
                                              core::Files &files);

} // namespace cudacc::config
