// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/init/Propose.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/init.json.
llvm::json::Value proposalJson(const Proposal &proposal);

/// What `cuda-cc init` says: what was written where and why, what else was possible, what was
/// passed over, and what the choice says to the toolkit that is here. There is a first choice.
std::string proposalText(const Proposal &proposal, report::Style style = {});

} // namespace cudacc::commands
