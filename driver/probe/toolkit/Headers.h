// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/probe/toolkit/IncludePath.h"

namespace cudacc::probe {

/// Which `cuda.h` and `cuda_runtime_api.h` this call's include path finds first (F5, R38). Where
/// `#include "cuda.h"` would find another file than `#include <cuda.h>` (-iquote), both are named.
/// A directory of that name is passed over, as gcc does (gcc 12).
///
/// A file is CUDA's if it says so (its version macro, NVIDIA's include guard), or lies where CUDA
/// lies: in nvcc's own folder, in targets/*-linux/include, in a wheel's nvidia/*/include, beside
/// nvcc or other headers of CUDA. Such a file whose release cannot be determined is found, with its
/// `problem`, and so is one that cannot be read. Any other file of that name is a project's own. It
/// does not count; it hides what lies behind it, as it does for the compiler, unless it has
/// `include_next`.
/// Cost: one stat per name and folder until both are found, then one read each.
std::vector<core::FoundHeader> findCudaHeaders(IncludePath &path);

} // namespace cudacc::probe
