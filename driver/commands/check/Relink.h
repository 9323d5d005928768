// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"

namespace cudacc::commands {

/// Usage if a runtime has no declared GPU, for which `--relink` would link.
llvm::Error requireGpus(llvm::ArrayRef<Runtime> runtimes);

/// `check --relink`: links the PTX and LTO-IR of a file with the runtime's own nvJitLink, for each
/// declared GPU that needs them. Relocatable code is linked as a whole, other units one by one.
/// Returns what the library refuses, and nothing if there is nothing to link. LinkerUnusable if the
/// runtime's nvJitLink does not lie on this machine.
std::vector<core::Finding> relink(pipeline::System &system, const Inputs &inputs,
                                  const Input &input, const core::BinaryFacts &facts,
                                  const Runtime &runtime);

} // namespace cudacc::commands
