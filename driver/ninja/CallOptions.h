// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/ninja/graph/StepGraph.h"

namespace cudacc::ninja {

/// An option of the call with which nvcc does more than the commands of its --dryrun, or prints
/// what it does; empty if there is none.
llvm::StringRef wholeOption(const core::Invocation &call);

/// What the options of nvcc ask of a depfile.
DepfileRequest depfileRequest(const core::Invocation &call);

/// True if the steps depend on the GPUs of this machine.
bool asksForGpus(const core::Invocation &call);

} // namespace cudacc::ninja
