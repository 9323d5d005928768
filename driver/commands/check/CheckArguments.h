// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"

namespace cudacc::commands {

/// What files are judged against, and how.
struct JudgeArguments : Arguments {
  /// `all`, and requirements that stand for every known release they match.
  std::vector<std::string> against;
  std::vector<std::string> gpu;
  std::optional<std::string> driver;
  /// Modules to import first.
  std::vector<std::string> before;
  /// What this machine has of CUDA counts beside the environment.
  bool asHere = false;
  /// Link PTX and LTO-IR with the runtime's nvJitLink.
  bool relink = false;
  /// A file that uses CUDA has to carry one.
  bool requireManifest = false;
  /// With `cuda`, findings that do not concern CUDA's own libraries become remarks.
  std::string only;
};

struct CheckArguments : JudgeArguments {
  /// Overrides the setting `layout`.
  std::optional<std::string> layout;
  /// The number of rows that must be accepted.
  std::optional<unsigned> minAccepted;
  bool deep = false, verify = false, strict = false;
};

} // namespace cudacc::commands
