// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "driver/run/Seams.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

/// Compiles of nvcc as graphs that Ninja runs (backend = "ninja", docs/ninja.md).
namespace cudacc::ninja {

struct NvccCompile {
  const core::Invocation &invocation;
  const core::Declaration &declaration;
  /// Launchers, nvcc and its arguments.
  const core::Command &command;
  /// How many words the launchers are, and the path of nvcc.
  size_t launcherWords = 0;
  llvm::StringRef nvcc;
};

struct NinjaOutcome {
  /// Exit status.
  int status = 0;
  /// Names of the steps whose command ran.
  std::vector<std::string> ran;
};

/// Runs the steps of `nvcc --dryrun` by Ninja, those alone whose inputs changed, and prints what
/// nvcc would print. Error: why nvcc has to run the call as a whole. It is a NoNinja, which the
/// user should see, only the first time in a folder.
llvm::Expected<NinjaOutcome> compile(run::Seams &seams, const NvccCompile &call);

/// Runs the step that \p argv names, as Ninja calls this program: waits for a place, runs the
/// command unless its record says that it would do the same, and keeps what it printed and read.
/// Returns the exit status; std::nullopt for every other call.
std::optional<int> runStep(run::Seams &seams, llvm::ArrayRef<llvm::StringRef> argv);

} // namespace cudacc::ninja
