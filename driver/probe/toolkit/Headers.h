// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/toolkit/IncludePath.h"

namespace cudacc::probe {

/// Finds the `cuda.h` and `cuda_runtime_api.h` that come first on this call's include path (F5,
/// R38). If `#include "cuda.h"` finds another file than `#include <cuda.h>` (-iquote), both are
/// returned. A directory of that name is skipped, as in gcc 12.
///
/// A file is CUDA's if it identifies itself (its version macro, NVIDIA's include guard) or is where
/// CUDA's headers are: in nvcc's own directory, in targets/*-linux/include, in a wheel's
/// nvidia/*/include, beside nvcc or beside other CUDA headers. If its release cannot be determined,
/// or if it cannot be read, it is returned with `problem` set. Any other file of that name belongs
/// to the project. It is not returned, but hides the files after it, as it does for the compiler,
/// unless it contains `include_next`.
///
/// Cost: one stat per name and directory until both are found, then one read each.
std::vector<core::FoundHeader> findCudaHeaders(IncludePath &path);

} // namespace cudacc::probe
