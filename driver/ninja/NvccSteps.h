// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/CommandInputs.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/ninja/BuildFolder.h"
#include "driver/ninja/graph/Dryrun.h"
#include "driver/ninja/graph/StepGraph.h"
#include "driver/run/Seams.h"
#include <map>
#include <string>

namespace cudacc::ninja {

/// The steps of a compile by nvcc.
struct NvccSteps {
  Dryrun dryrun;
  StepGraph graph;
  /// By name: where PATH has the programs of the steps, and those that host compilers start by it;
  /// empty: nowhere.
  std::map<std::string, std::string> programs;
};

/// Those that `nvcc --dryrun` of the command \p nvcc prints, or its answer that \p folder keeps
/// while arguments, variables and all that nvcc looked at are the same. For the dry run nvcc takes
/// one of \p jobs places. Error: nvcc fails, or its steps are not known.
llvm::Expected<NvccSteps> askForSteps(run::Seams &seams, const core::Invocation &call,
                                      const core::Command &nvcc, const BuildFolder &folder,
                                      unsigned jobs, cache::CurrentFiles &current);

/// A word of the call with which nvcc does more than the commands of its --dryrun, prints
/// what it does, or reads a stream; empty if there is none.
llvm::StringRef wholeOption(const core::Invocation &call);

/// What the options of nvcc ask of a depfile.
DepfileRequest depfileRequest(const core::Invocation &call, const core::Command &nvcc);

/// True if the steps depend on the GPUs of this machine.
bool asksForGpus(const core::Invocation &call);

} // namespace cudacc::ninja
