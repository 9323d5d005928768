// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/commands/wheel/WheelArguments.h"

namespace cudacc::commands {

/// The runtimes that a wheel is for: those of \p arguments or of the declaration, else those of
/// the files' manifests. Errors: Usage if there are none, and that of one that cannot be resolved.
llvm::Expected<std::vector<Runtime>> runtimesOfWheel(pipeline::System &system,
                                                     const WheelArguments &arguments,
                                                     const core::Declaration &declaration,
                                                     const Inputs &inputs,
                                                     llvm::ArrayRef<ReadFile> files);

} // namespace cudacc::commands
