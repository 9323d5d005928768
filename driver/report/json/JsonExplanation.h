#pragma once

#include "driver/core/Explanation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// Form in docs/schema/explain.json.
llvm::json::Value toJson(const core::Explained &explained, llvm::ArrayRef<std::string> next);

} // namespace cudacc::report
