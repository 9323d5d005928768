// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Declaration.h"
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

/// The runtimes of `check`: those of `--runtime`; with `--against`, all known ones or those that
/// its requirements match; otherwise that of \p declaration. Empty if nothing is declared. `--gpu`
/// and `--driver` are added to each. Errors: a runtime that the user named cannot be resolved.
llvm::Expected<std::vector<Runtime>> runtimesOf(pipeline::System &system,
                                                const Arguments &arguments,
                                                const core::Declaration &declaration);

/// The runtime that the manifest of \p path was linked for (F9); \p spec is its `target.spec`. If
/// it cannot be resolved, the result's `problem` is set.
Runtime runtimeOfManifest(pipeline::System &system, const Arguments &arguments,
                          const core::Declaration &declaration, llvm::StringRef path,
                          llvm::StringRef spec);

} // namespace cudacc::commands
