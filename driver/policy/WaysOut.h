#pragma once

#include "driver/core/CudaVersion.h"
#include <string>

namespace cudacc::policy {

/// `torch>=2.7.0 (CUDA 12.6)`: from which torch release on PyPI's default wheels bring CUDA
/// \p version or newer of the same major. Empty: no known release does.
std::string firstTorchWith(core::CudaVersion version);

} // namespace cudacc::policy
