// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/target/TargetDiff.h"
#include "driver/core/Target.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/target-diff.json.
llvm::json::Value targetDiffJson(const core::Target &a, const core::Target &b,
                                 const TargetDiff &diff);

/// What `cuda-cc target --diff A B` prints: in the first line whether they differ and in how much,
/// then the two, then what differs, A's beside B's.
std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           report::Style style = {});

} // namespace cudacc::commands
