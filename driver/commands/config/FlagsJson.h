#pragma once

#include "driver/commands/config/RuntimeFlags.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/config.json.
llvm::json::Value flagsJson(const RuntimeFlags &flags);

} // namespace cudacc::commands
