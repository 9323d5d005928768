// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/config/MatrixTable.h"
#include "driver/pipeline/System.h"
#include "driver/plan/matrix/MatrixPlan.h"

namespace cudacc::commands {

struct MatrixArguments : Arguments {
  bool strict = false, acceptLicense = false;
  /// Options of the request, in order, with their values.
  std::vector<std::pair<std::string, std::string>> kept;
};

/// What is asked of a matrix: the table of the project, of which options replace whole keys.
struct MatrixRequest {
  /// `runtimes`, `build` and `artefacts` are not empty, except the last for presets. A key that
  /// an option replaces has its name as the origin.
  config::MatrixTable table;
  plan::TorchAbi abi = plan::TorchAbi::Minor;
  /// Absolute: folder of the file with the table, else the working directory; and where the results
  /// go.
  std::string project, folder;
  /// How many builds run at a time.
  unsigned jobs = 1;
  /// What to print instead of building.
  enum class Prints { Result, Plan, Github, Gitlab };
  Prints prints = Prints::Result;
  bool isForOtherMachines() const { return prints == Prints::Github || prints == Prints::Gitlab; }
  /// The user accepts NVIDIA's license in this call, for toolkits that are fetched.
  bool acceptsLicense = false;
  /// The options that replace keys, as words for sh: for a call on another machine, which finds its
  /// toolkit by itself.
  std::string options;
  /// Builds to make; empty: all.
  std::vector<std::string> names;
};

/// Errors: Usage if a key is missing or a value makes no sense; those of findMatrixTable.
llvm::Expected<MatrixRequest> readMatrixRequest(pipeline::System &system,
                                                const MatrixArguments &arguments);

} // namespace cudacc::commands
