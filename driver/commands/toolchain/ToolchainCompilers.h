// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/commands/toolchain/ToolchainFiles.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/pipeline/System.h"
#include "driver/versions/Machine.h"
#include <optional>

namespace cudacc::commands {

/// What \p directory builds for.
const versions::Machine &machineOf(const core::ToolchainDirectory &directory);

/// Its nvcc. Without one a directory still has host compilers, unless an nvcc was asked for.
llvm::Expected<std::optional<core::Toolkit>>
resolveNvcc(pipeline::System &system, cache::Store &store, core::ToolchainDirectory &directory);

/// Its host compilers, the one of nvcc in front, and what they build for. \p toolkit may be null.
llvm::Error resolveCompilers(pipeline::System &system, cache::Store &store,
                             const core::Toolkit *toolkit, core::ToolchainDirectory &directory);

/// Facts of the first; nothing: there is none, or it does not answer.
std::optional<core::HostCompiler> askHost(pipeline::System &system, cache::Store &store,
                                          const core::ToolchainDirectory &directory);

/// What goes with a compiler for another machine; nothing for this one.
CrossTools crossToolsOf(pipeline::System &system, cache::Store &store,
                        const core::ToolchainDirectory &directory);

} // namespace cudacc::commands
