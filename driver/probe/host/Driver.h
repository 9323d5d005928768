#pragma once

#include "driver/core/Doctor.h"
#include "driver/core/Files.h"

namespace cudacc::probe {

/// The driver behind \p libcuda, the libcuda.so.1 that the loader takes (empty: none), and the
/// kernel module's release from /proc/driver/nvidia/version. Its release is in the name of the file
/// that links lead to (libcuda.so.535.104.05), else in that of libnvidia-ml beside it, which is of
/// the same release, else the module's. The CUDA version is left to the tables.
core::RunningDriver readDriver(llvm::StringRef libcuda, core::Files &files);

/// The release in the text of /proc/driver/nvidia/version; empty: none.
std::string kernelRelease(llvm::StringRef text);

} // namespace cudacc::probe
