// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/plan/matrix/MatrixPlan.h"

namespace cudacc::plan {

/// A workflow of GitHub and a job of GitLab that run each build of \p plan on a machine of its own,
/// in an image with its toolkit. \p options: those of the call that declare the matrix, for sh;
/// empty if the project's table declares all of it.
std::string githubWorkflow(const MatrixPlan &plan, llvm::StringRef options);
std::string gitlabJob(const MatrixPlan &plan, llvm::StringRef options);

} // namespace cudacc::plan
