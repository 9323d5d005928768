// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include <vector>

namespace cudacc::plan {

/// Indices, ascending, of the fewest sets whose union is the union of all. Of several such choices
/// the one whose indices are least, compared in order, so that \p sets in order of preference give
/// the preferred choice. All sets have the same size. Exact; the time is exponential in the number
/// of sets chosen, which for toolkits is that of their CUDA majors.
std::vector<unsigned> fewestSets(llvm::ArrayRef<llvm::BitVector> sets);

} // namespace cudacc::plan
