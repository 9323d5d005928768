// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/init/Propose.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// As described by docs/schema/init.json.
llvm::json::Value proposalJson(const Proposal &proposal);

/// The text of `cuda-cc init`: what was written where and why, the alternatives, the sources that
/// were not used, and whether the toolkit found here fits the first choice, which must exist.
std::string proposalText(const Proposal &proposal, report::Style style = {});

} // namespace cudacc::commands
