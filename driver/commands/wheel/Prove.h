// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Subcommands.h"
#include "driver/commands/wheel/WheelArguments.h"

namespace cudacc::commands {

/// `cuda-cc wheel prove WHEEL`. \p words: those behind `prove`.
llvm::Expected<int> proveWheel(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> words);

} // namespace cudacc::commands
