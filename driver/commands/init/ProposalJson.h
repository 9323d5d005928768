#pragma once

#include "driver/commands/init/Proposal.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/init.json.
llvm::json::Value proposalJson(const Proposal &proposal);

} // namespace cudacc::commands
