// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Declaration.h"
#include <map>

namespace cudacc::commands {

/// A runtime that files are compared with.
struct Runtime {
  /// `torch==2.5.1`, several requirements joined by `;`.
  std::string name;
  core::Target target;
  /// Prefix of the environment that it is; empty: none.
  std::string environment;
  /// Where the libraries of `target` lie as they are installed, by their paths without links.
  std::map<std::string, std::string> places;
  /// Why it could not be resolved; then every file is unknown on it.
  std::optional<core::Finding> problem;
};

/// The runtimes of `check`: those of `--runtime`, all known ones with `--against all`, those of its
/// requirements, else the one that is declared in \p declaration; none when nothing is declared.
/// `--gpu` and `--driver` are added to each. Error: one that the user named cannot be resolved.
llvm::Expected<std::vector<Runtime>> runtimesOf(pipeline::System &system,
                                                const Arguments &arguments,
                                                const core::Declaration &declaration);

/// What the manifest of \p path was linked for (F9): \p spec is its `target.spec`. What cannot be
/// resolved is a problem of that runtime.
Runtime runtimeOfManifest(pipeline::System &system, const Arguments &arguments,
                          const core::Declaration &declaration, llvm::StringRef path,
                          llvm::StringRef spec);

} // namespace cudacc::commands
