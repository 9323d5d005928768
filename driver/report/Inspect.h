#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/report/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::report {

/// What `cuda-cc inspect` prints about one file; blocks of several files follow each other.
/// \p isNvidia says of a SONAME whether the library is NVIDIA's (facts room).
std::string inspect(const core::BinaryFacts &file,
                    llvm::function_ref<bool(llvm::StringRef)> isNvidia, Style style = {});

} // namespace cudacc::report
