// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::policy {

/// RL-3, RL-5, TG-2: whether nvcc, the parts that lie with it and the CUDA headers that the call
/// finds are of one release; of these the toolkit's own headers count only where the call finds
/// them. Empty while nvcc's release is not known.
std::vector<core::Finding> judgeCoherence(const core::Toolkit &toolkit,
                                          llvm::ArrayRef<core::FoundHeader> headers);

} // namespace cudacc::policy
