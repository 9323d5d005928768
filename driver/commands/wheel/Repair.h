// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Subcommands.h"

namespace cudacc::commands {

/// `cuda-cc wheel repair WHEEL`. \p words: those behind `repair`.
llvm::Expected<int> repairWheel(pipeline::System &system, const Arguments &arguments,
                                llvm::ArrayRef<std::string> words);

} // namespace cudacc::commands
