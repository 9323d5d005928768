// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/matrix/MatrixReports.h"

namespace cudacc::commands {

/// The files of a project that its builds read.
struct MatrixInputFiles {
  /// Relative to the project, sorted.
  std::vector<std::string> paths;
  /// Changes with the names, sizes, modes and times of the files.
  std::string digest;
};

/// What git tracks or would add below \p project, with submodules; every file there, if git tracks
/// none. Never what lies in \p results (absolute), git's own files, or \p reports. The digest also
/// covers \p beside, files and folders elsewhere.
MatrixInputFiles matrixInputs(pipeline::System &system, const std::string &project,
                              llvm::ArrayRef<std::string> beside, const std::string &results,
                              const MatrixReports &reports);

} // namespace cudacc::commands
