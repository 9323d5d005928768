#pragma once

#include "driver/report/text/Trust.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Form in docs/schema/trust.json.
llvm::json::Value toJson(const TrustReport &report);

} // namespace cudacc::report
