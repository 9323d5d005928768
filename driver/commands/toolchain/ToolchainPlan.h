// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include "driver/core/Verdict.h"
#include "driver/pipeline/System.h"
#include "driver/plan/toolchain/Toolchain.h"
#include <optional>

namespace cudacc::commands {

/// A toolchain directory before anything of it is made.
struct PlannedDirectory {
  core::ToolchainDirectory directory;
  core::Target target;
  /// As its own nvcc will see it; nothing: there is no nvcc.
  std::optional<core::Toolkit> toolkit;
  core::ToolkitSources sources;
  plan::ToolchainContent content;
  /// What a compile in it would report.
  core::Verdict verdict;
};

/// The nvcc and the host compilers that \p directory's declaration means, and with places that do
/// not depend on the caller (`env` is the environment that is active now). Says how the nvcc was
/// found; empty: there is none.
llvm::Expected<std::string> resolveDirectory(pipeline::System &system, cache::Store &store,
                                             core::ToolchainDirectory &directory);

/// What \p directory, with declaration, nvcc and compilers, consists of now. \p foundBy: how its
/// nvcc was found.
llvm::Expected<PlannedDirectory> planDirectory(pipeline::System &system, cache::Store &store,
                                               core::ToolchainDirectory directory,
                                               llvm::StringRef foundBy);

/// Version and size of the running cuda-cc, whether or not it lies in a toolchain directory.
std::string programIdentity(pipeline::System &system);

} // namespace cudacc::commands
