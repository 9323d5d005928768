// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Subcommands.h"

namespace cudacc::commands {

/// The verbs of `cuda-cc wheel`. \p words: those behind the verb. Each returns its exit status; an
/// error is printed instead of a result.
llvm::Expected<int> repairWheel(pipeline::System &system, const Arguments &arguments,
                                llvm::ArrayRef<std::string> words);
llvm::Expected<int> showWheels(pipeline::System &system, const Arguments &arguments,
                               llvm::ArrayRef<std::string> words);

} // namespace cudacc::commands
