#pragma once

#include "driver/World.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/report/Layout.h"

namespace cudacc::tools {

/// Runs the subcommand of \p call; exit status.
int run(World &world, const core::Invocation &call, const core::ToolchainDirectory *directory);

/// What every subcommand gets.
struct Arguments {
  /// Words that are no options.
  std::vector<std::string> words;
  /// `sarif` of `check` only.
  bool json = false, sarif = false;
  /// `--runtime`: of `target` requirements that hold together, of `check` one runtime each, in
  /// which `;` separates requirements.
  std::vector<std::string> runtime;
  /// `--gpu` and `--driver` of `check`.
  std::vector<std::string> gpu;
  std::optional<std::string> driver;
  bool againstAll = false, deep = false, verify = false, strict = false;
  /// `--exports` of `inspect`.
  bool exports = false;
  /// `--help` or `-h`: nothing else is done.
  bool help = false;
  core::OwnOptions own;
};

int help(World &world);
int version(World &world, const Arguments &arguments);
int explain(World &world, const Arguments &arguments);
int inspect(World &world, const Arguments &arguments);
int check(World &world, const Arguments &arguments, const core::ToolchainDirectory *directory);
int target(World &world, const Arguments &arguments, const core::ToolchainDirectory *directory);

/// Colours for stdout: a terminal that NO_COLOR does not forbid.
report::Style outStyle(World &world);
/// Prints the finding; its exit status.
int stop(World &world, const core::Finding &finding);

} // namespace cudacc::tools
