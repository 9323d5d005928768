#pragma once

#include "driver/core/RuntimeFlags.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Form in docs/schema/config.json.
llvm::json::Value toJson(const core::RuntimeFlags &flags);

} // namespace cudacc::report
