#pragma once

#include "driver/core/Target.h"
#include "driver/core/TargetDiff.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Form in docs/schema/target-diff.json.
llvm::json::Value toJson(const core::Target &a, const core::Target &b,
                         const core::TargetDiff &diff);

} // namespace cudacc::report
