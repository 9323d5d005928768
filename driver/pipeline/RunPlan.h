// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Plan.h"
#include "driver/pipeline/Call.h"
#include <memory>

namespace cudacc::pipeline {

/// Writes the directories and files of the plan that are kept; false: one could not be written.
bool provide(System &system, cache::Store &store, const core::Plan &plan);

/// Runs the command with the files it reads, which are gone afterwards.
llvm::Expected<core::ExitStatus> spawn(System &system, const core::Plan &plan);

/// Links to one output take turns: ld writes to a name, and what lies there at the end of one is to
/// be what it wrote. A link that another one started for the same output, in a compiler's wrapper,
/// does not wait for it. Null: nobody is locked out.
std::unique_ptr<core::FileLock> lockOutput(System &system, cache::Store &store, const Call &call,
                                           core::Command &command);

} // namespace cudacc::pipeline
