// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/matrix/FindMatrix.h"
#include "driver/commands/matrix/MatrixReports.h"
#include "driver/core/Runner.h"

namespace cudacc::commands {

/// Names of files in the folder of a build.
namespace matrixfile {
inline constexpr llvm::StringLiteral began = "began", built = "built", buildLog = "build.log",
                                     checked = "check.json", checkLog = "check.log",
                                     passed = "passed", testLog = "test.log", made = "made",
                                     makeLog = "make.log";
} // namespace matrixfile

/// Folder of the test of the build \p name on \p runtime, relative to the results.
std::string matrixTestFolder(llvm::StringRef name, llvm::StringRef runtime);

/// Folder of the environment that is made for a build, relative to the results; empty if it needs
/// none, or uses a declared one.
std::string matrixEnvironmentFolder(const FoundMatrix &found, const plan::MatrixBuild &build);

/// Indices of the builds in the plan that are to be made. Errors: Usage for a name that no build
/// has.
llvm::Expected<std::vector<unsigned>> chosenBuilds(const FoundMatrix &found);

/// Writes the scripts of all builds and one build.ninja, and runs Ninja for those \p chosen. Its
/// progress goes to stderr. How Ninja ended: a failed cell is told by the files it left. Errors: no
/// Ninja, an unwritable folder, files there that are not of a matrix. \p reports are no inputs.
llvm::Expected<core::ExitStatus> runMatrix(pipeline::System &system, const FoundMatrix &found,
                                           llvm::ArrayRef<unsigned> chosen,
                                           const MatrixReports &reports);

} // namespace cudacc::commands
