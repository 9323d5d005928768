// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::policy {

/// RL-3, RL-5, TG-2: whether nvcc, the components of its toolkit and the CUDA headers that the call
/// finds are of one release. The toolkit's own headers count only if the call finds them. Empty if
/// nvcc's release is not known.
std::vector<core::Finding> judgeCoherence(const core::Toolkit &toolkit,
                                          llvm::ArrayRef<core::FoundHeader> headers);

} // namespace cudacc::policy
