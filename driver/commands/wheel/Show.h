// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Subcommands.h"
#include "driver/commands/wheel/WheelArguments.h"

namespace cudacc::commands {

/// `cuda-cc wheel show WHEEL...`. \p wheels: the words behind `show`. Returns 3 if one is rejected
/// on each release that its metadata allow, or contradicts itself; else 4 if one is unknown.
llvm::Expected<int> showWheels(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> wheels);

} // namespace cudacc::commands
