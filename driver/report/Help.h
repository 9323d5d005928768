#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::report {

/// What `cuda-cc help` and `--cudacc-help` print.
llvm::StringRef help();

} // namespace cudacc::report
