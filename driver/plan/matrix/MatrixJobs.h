// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/plan/matrix/MatrixPlan.h"

namespace cudacc::plan {

/// A workflow of GitHub and a job of GitLab that run each build of \p plan on a machine of its own,
/// in an image with its toolkit. \p options: those of the call that declare the matrix, for sh;
/// empty if the project's table declares all of it. \p kept: patterns in the folder of the build,
/// of which the files are uploaded.
std::string githubWorkflow(const MatrixPlan &plan, llvm::StringRef options,
                           llvm::ArrayRef<std::string> kept);
std::string gitlabJob(const MatrixPlan &plan, llvm::StringRef options,
                      llvm::ArrayRef<std::string> kept);

} // namespace cudacc::plan
