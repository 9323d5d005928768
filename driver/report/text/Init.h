#pragma once

#include "driver/core/Proposal.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// What `cuda-cc init` says: what was written where and why, what else was possible, what was
/// passed over, and what the choice says to the toolkit that is here. There is a first choice.
std::string initText(const core::Proposal &proposal, Style style = {});

} // namespace cudacc::report
