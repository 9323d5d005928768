// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/target/TargetDiff.h"
#include "driver/core/Target.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// As described by docs/schema/target-diff.json.
llvm::json::Value targetDiffJson(const core::Target &a, const core::Target &b,
                                 const TargetDiff &diff);

/// The text of `cuda-cc target --diff A B`: whether and how much they differ in the first line,
/// then the two targets, then a row per difference.
std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           report::Style style = {});

} // namespace cudacc::commands
