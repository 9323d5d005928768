// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"

namespace cudacc::commands {

/// The files of a project that its builds read.
struct MatrixInputFiles {
  /// Relative to the project, sorted.
  std::vector<std::string> paths;
  /// Changes with the names, sizes, modes and times of the files.
  std::string digest;
};

/// What git tracks or would add below \p project, with submodules; every file there, if git tracks
/// none.
/// Never what lies in \p results (absolute), nor git's own files.
MatrixInputFiles matrixInputs(pipeline::System &system, const std::string &project,
                              const std::string &results);

} // namespace cudacc::commands
