// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Call.h"
#include "driver/pipeline/Reporter.h"

namespace cudacc::pipeline {

/// How a compile by Ninja ended.
struct NinjaOutcome {
  int status = 0;
  /// Names of the steps whose command ran.
  std::vector<std::string> ran;
};

/// Runs the compile \p command of \p call by Ninja (backend = "ninja"): its steps are those of
/// `nvcc --dryrun`, and only those run whose inputs changed. Prints what nvcc would print.
/// std::nullopt if nvcc has to run the call as a whole; \p because then says why.
std::optional<NinjaOutcome> buildWithNinja(System &system, Reporter &report, const Call &call,
                                           const core::Command &command, std::string &because);

} // namespace cudacc::pipeline
