#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace cudacc::facts {

/// Sonames of NVIDIA's libraries of which some opened version of that CUDA major exports the name,
/// ascending: who an unversioned import may bind to. libcuda.so.1 belongs to every major; major 0:
/// any. Names that are everywhere (`_init`) are in no table. Empty: no table has it, which is no
/// proof where internal names were left out.
std::vector<llvm::StringRef> sonamesExporting(llvm::StringRef symbol, unsigned major);

} // namespace cudacc::facts
