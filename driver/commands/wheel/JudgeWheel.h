// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/Judgement.h"

namespace cudacc::commands {

/// The runtimes that a wheel is for: those of \p arguments or of the declaration, else those of
/// the files' manifests. Errors: Usage if there are none, and that of one that cannot be resolved.
llvm::Expected<std::vector<Runtime>> runtimesOfWheel(pipeline::System &system,
                                                     const Arguments &arguments,
                                                     const core::Declaration &declaration,
                                                     const Inputs &inputs,
                                                     llvm::ArrayRef<ReadFile> files);

/// Judges the files of one wheel as `check` does, a row for each runtime, without files that a
/// runtime never loads.
std::vector<core::Judgement> judgeWheel(pipeline::System &system, const Arguments &arguments,
                                        const core::Declaration &declaration, const Inputs &inputs,
                                        llvm::ArrayRef<ReadFile> files,
                                        const binary::ReadOptions &options,
                                        llvm::ArrayRef<Runtime> runtimes);

} // namespace cudacc::commands
