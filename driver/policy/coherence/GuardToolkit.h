// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::policy {

/// RL-3, RL-5, TG-2: whether nvcc, the components of its toolkit and the CUDA headers that the call
/// finds are of one release. The toolkit's own headers count only if the call finds them. Empty if
/// nvcc's release is not known. Fixes bring NVIDIA's wheels to the release of the \p runtime, if
/// its major is nvcc's.
std::vector<core::Finding> judgeCoherence(const core::Toolkit &toolkit,
                                          llvm::ArrayRef<core::FoundHeader> headers,
                                          versions::CudaVersion runtime = {});

} // namespace cudacc::policy
