#pragma once

#include "driver/core/Proposal.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Form in docs/schema/init.json.
llvm::json::Value toJson(const core::Proposal &proposal);

} // namespace cudacc::report
