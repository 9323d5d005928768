// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/plan/matrix/MatrixPlan.h"

namespace cudacc::plan {

/// What jobs on other machines do, besides the plan.
struct MatrixJobs {
  struct Fetch {
    /// The user accepted NVIDIA's license: the jobs say so.
    bool isAccepted = false;
    /// Some come from NVIDIA's archives, whose place is a variable.
    bool hasArchives = false;
  };

  /// The options of the call that declare the matrix, for sh; empty if the project's table declares
  /// all of it.
  llvm::StringRef options;
  /// Patterns in the folder of the build, of which the files are uploaded.
  llvm::ArrayRef<std::string> kept;
  /// Each job fetches its toolkit; std::nullopt: it runs in an image that has it.
  std::optional<Fetch> fetch;
};

/// A workflow of GitHub and a job of GitLab that run each build of \p plan on a machine of its own.
std::string githubWorkflow(const MatrixPlan &plan, const MatrixJobs &jobs);
std::string gitlabJob(const MatrixPlan &plan, const MatrixJobs &jobs);

} // namespace cudacc::plan
