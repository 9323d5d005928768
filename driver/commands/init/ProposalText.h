#pragma once

#include "driver/commands/init/Proposal.h"
#include "driver/report/text/Layout.h"

namespace cudacc::commands {

/// What `cuda-cc init` says: what was written where and why, what else was possible, what was
/// passed over, and what the choice says to the toolkit that is here. There is a first choice.
std::string proposalText(const Proposal &proposal, report::Style style = {});

} // namespace cudacc::commands
