#pragma once

#include "driver/World.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"

namespace cudacc::tools {

/// Runs the subcommand of \p call; exit status.
int run(World &world, const core::Invocation &call, const core::ToolchainDirectory *directory);

/// What every subcommand gets.
struct Arguments {
  /// Words that are no options.
  std::vector<std::string> words;
  bool json = false;
  /// `--runtime` of `target`.
  std::vector<std::string> runtime;
  core::OwnOptions own;
};

int help(World &world);
int version(World &world, const Arguments &arguments);
int explain(World &world, const Arguments &arguments);
int inspect(World &world, const Arguments &arguments);
int target(World &world, const Arguments &arguments, const core::ToolchainDirectory *directory);

/// Prints the finding; its exit status.
int stop(World &world, const core::Finding &finding);

} // namespace cudacc::tools
