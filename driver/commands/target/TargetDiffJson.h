#pragma once

#include "driver/commands/target/TargetDiff.h"
#include "driver/core/Target.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/target-diff.json.
llvm::json::Value targetDiffJson(const core::Target &a, const core::Target &b,
                                 const TargetDiff &diff);

} // namespace cudacc::commands
