#pragma once

#include "driver/explain/Explanation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// Form in docs/schema/explain.json.
llvm::json::Value explanationJson(const explain::Explained &explained,
                                  llvm::ArrayRef<std::string> next);

} // namespace cudacc::commands
