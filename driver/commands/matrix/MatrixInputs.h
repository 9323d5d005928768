// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/matrix/MatrixReports.h"
#include "driver/plan/matrix/MatrixScripts.h"

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

/// Whether the build that left \p folder (of one build, below the results) has to run again for a
/// file outside of the project: its build tree read it, and it changed since the build began. True,
/// too, if that cannot be determined: the tree is not Ninja's. False if no tree was left.
bool isOutsideNewer(pipeline::System &system, const plan::MatrixPlaces &places,
                    llvm::StringRef folder);

} // namespace cudacc::commands
