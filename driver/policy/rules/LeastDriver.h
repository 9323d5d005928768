// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Judgement.h"

namespace cudacc::policy {

/// What a file asks of the driver on a runtime of \p line: the lowest for its machine code and for
/// the cudart it holds or takes, and for its PTX. Both empty: it uses no CUDA.
core::LeastDriver leastDriver(const core::BinaryFacts &file, versions::CudaVersion line);

/// The oldest toolkit that can have made the newest part of the file; 0.0: nothing says.
versions::CudaVersion leastToolkit(const core::BinaryFacts &file);

} // namespace cudacc::policy
