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

/// A toolchain directory before any of it is written.
struct ToolchainPlan {
  core::ToolchainDirectory directory;
  core::Target target;
  /// As its own nvcc will see it; std::nullopt if there is no nvcc.
  std::optional<core::Toolkit> toolkit;
  core::ToolkitSources sources;
  plan::ToolchainContent content;
  /// What a compile with it would report.
  core::Verdict verdict;
};

/// Finds the nvcc and the host compilers of \p directory's declaration, and makes its paths
/// independent of the caller (`env` is the environment active now). Returns how the nvcc was found;
/// empty if there is none.
llvm::Expected<std::string> resolveDirectory(pipeline::System &system, cache::Store &store,
                                             core::ToolchainDirectory &directory);

/// Plans the contents of \p directory, whose declaration, nvcc and compilers are set. \p foundBy:
/// how its nvcc was found.
llvm::Expected<ToolchainPlan> planDirectory(pipeline::System &system, cache::Store &store,
                                            core::ToolchainDirectory directory,
                                            llvm::StringRef foundBy);

/// Version and size of the running cuda-cc, whether or not it lies in a toolchain directory.
std::string programIdentity(pipeline::System &system);

} // namespace cudacc::commands
