// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/plan/ninja/StepGraph.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::pipeline {

/// A compiler cache or compile farm.
struct StepLauncher {
  /// Path; empty if there is none.
  std::string program;
  /// It and its arguments for /bin/sh, with a blank behind.
  std::string words;
};

/// Puts \p launcher before the commands that it understands: compiles of the host compiler, and for
/// sccache 0.10 or newer those of cicc and ptxas. \p folder keeps what it said about its version.
void launchCompiles(System &system, const StepLauncher &launcher, llvm::StringRef folder,
                    plan::StepGraph &graph);

} // namespace cudacc::pipeline
