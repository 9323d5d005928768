// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Declaration.h"
#include "driver/commands/check/CheckArguments.h"
#include "driver/core/BinaryFacts.h"
#include <map>

namespace cudacc::commands {

/// A runtime that files are judged against.
struct Runtime {
  /// `torch==2.5.1`; several requirements are joined by `;`.
  std::string name;
  core::Target target;
  /// Prefix of the environment, if the runtime is one; empty otherwise.
  std::string environment;
  /// Installed paths of the libraries of `target`, by their paths with links resolved.
  std::map<std::string, std::string> places;
  /// Why it could not be resolved; the verdict on every file is then unknown.
  std::optional<core::Finding> problem;
};

/// Version of the library in the runtime of that name. Empty if there is none, or it is not known.
std::string versionIn(llvm::ArrayRef<Runtime> runtimes, llvm::StringRef name,
                      llvm::StringRef soname);

/// The runtimes of `check`: those of `--runtime`; with `--against`, all known ones or those that
/// its requirements match; otherwise that of \p declaration. Empty if nothing is declared. `--gpu`
/// and `--driver` are added to each. Errors: a runtime that the user named cannot be resolved.
llvm::Expected<std::vector<Runtime>> runtimesOf(pipeline::System &system,
                                                const JudgeArguments &arguments,
                                                const core::Declaration &declaration);

/// Adds to \p runtimes those that \p file was linked for (F9), by its manifest. `problem` of one
/// says why it cannot be resolved.
void addRuntimesOfManifest(std::vector<Runtime> &runtimes, pipeline::System &system,
                           const JudgeArguments &arguments, const core::Declaration &declaration,
                           llvm::StringRef path, const core::BinaryFacts &file);

} // namespace cudacc::commands
