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

/// The machine that \p directory builds for.
const versions::Machine &machineOf(const core::ToolchainDirectory &directory);

/// Finds the directory's nvcc and sets its paths. std::nullopt if there is none: the directory then
/// has host compilers only. Errors: an nvcc was requested and is not usable.
llvm::Expected<std::optional<core::Toolkit>>
resolveNvcc(pipeline::System &system, cache::Store &store, core::ToolchainDirectory &directory);

/// Finds the directory's host compilers, nvcc's first, and the machine that they build for. \p
/// toolkit may be null.
llvm::Error resolveCompilers(pipeline::System &system, cache::Store &store,
                             const core::Toolkit *toolkit, core::ToolchainDirectory &directory);

/// Facts of the first host compiler; std::nullopt if there is none, or it does not answer.
std::optional<core::HostCompiler> askHost(pipeline::System &system, cache::Store &store,
                                          const core::ToolchainDirectory &directory);

/// The machine that \p directory will build for, before it has a toolkit. Errors: as above.
llvm::Expected<const versions::Machine *> machineOfHost(pipeline::System &system,
                                                        cache::Store &store,
                                                        const core::ToolchainDirectory &directory);

/// Tools that belong to a compiler for another machine; empty for this machine.
CrossTools crossToolsOf(pipeline::System &system, cache::Store &store,
                        const core::ToolchainDirectory &directory);

} // namespace cudacc::commands
