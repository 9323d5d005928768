#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "driver/core/Toolkit.h"

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
///
/// Order, as gcc has it: -iquote, -I, nvcc's own -I (nvcc puts them behind the caller's, 12.4 and
/// 13.0), CPATH, -isystem, nvcc's own -isystem, C_INCLUDE_PATH or CPLUS_INCLUDE_PATH, the
/// compiler's built-in directories, -idirafter. A folder that is also a system folder does not
/// count where -I, -iquote or CPATH names it. Built-in directories are searched for nvcc's calls
/// only: in a host call they only say which -I do not count.
///
/// \p toolkit is null for a host call without CUDA sources, \p host where nothing is known of the
/// compiler. Cost: one stat per name and folder until both are found, then one read each.
std::vector<core::FoundHeader> findCudaHeaders(const core::Invocation &call,
                                               const core::Toolkit *toolkit,
                                               const core::HostCompiler *host,
                                               const core::Environment &env, core::Files &files);

} // namespace cudacc::probe
