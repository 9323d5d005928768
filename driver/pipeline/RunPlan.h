// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Plan.h"
#include "driver/pipeline/Call.h"
#include <memory>

namespace cudacc::pipeline {

/// Writes the plan's directories and files; false if one could not be written.
bool provide(System &system, cache::Store &store, const core::Plan &plan);

/// Runs the command, and removes the plan's temporary files.
llvm::Expected<core::ExitStatus> spawn(System &system, cache::Store &store, const core::Plan &plan);

/// Serialises links to the same output: ld writes to a path, and the file found there afterwards
/// must be the one it wrote. A link nested in another link to the same output, as through a
/// compiler's wrapper, does not wait for it. Returns null if nothing was locked.
std::unique_ptr<core::FileLock> lockOutput(System &system, cache::Store &store, const Call &call,
                                           core::Command &command);

} // namespace cudacc::pipeline
