// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/pipeline/StepRecord.h"
#include "driver/pipeline/System.h"
#include "driver/plan/ninja/StepGraph.h"
#include "driver/run/Jobs.h"
#include <map>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// The steps of a compile by nvcc.
struct NvccSteps {
  plan::Dryrun dryrun;
  plan::StepGraph graph;
  /// By name: where PATH has the programs of the steps, and those that host compilers start by it;
  /// empty: nowhere.
  std::map<std::string, std::string> programs;
};

/// Fills \p steps from `nvcc --dryrun` of the command \p nvcc, or from its answer that \p folder
/// keeps while arguments, variables and all that nvcc looked at are the same. Returns false if nvcc
/// fails or if its steps are not known; \p because then says why. \p rules: how nvcc gets a place
/// among the steps of other calls.
bool askForSteps(System &system, const core::Invocation &call, const core::Command &nvcc,
                 llvm::StringRef folder, const run::JobRules &rules, CurrentFiles &current,
                 NvccSteps &steps, std::string &because);

} // namespace cudacc::pipeline
