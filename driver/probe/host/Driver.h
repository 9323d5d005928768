// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

/// The CUDA driver installed on this machine, as determined from files alone; no program is run.
struct RunningDriver {
  /// Path of the libcuda.so.1 that the loader selects; empty if there is none.
  std::string path;
  /// Releases of libcuda (`535.104.05`) and of the kernel module; empty if unknown or absent.
  std::string release, kernel;
  /// The CUDA version of `release`, filled by the caller from the tables; 0.0 if unknown.
  versions::CudaVersion cuda;
  /// What `release` was derived from: "the name of <file>", "libnvidia-ml.so.1 beside it" or
  /// "/proc/driver/nvidia/version".
  std::string evidence;
  /// `path` is the toolkit's stub library, which serves only for linking.
  bool isStub = false;

  bool present() const { return !path.empty() && !isStub; }
};

/// Describes the driver to which \p libcuda belongs: the libcuda.so.1 that the loader selects, or
/// empty if there is none. The release is taken from the name of the file that its symbolic links
/// resolve to (libcuda.so.535.104.05), else from that of libnvidia-ml beside it, which has the same
/// release, else from the kernel module (/proc/driver/nvidia/version). `cuda` is not set.
RunningDriver readDriver(llvm::StringRef libcuda, core::Files &files);

/// The release in the text of /proc/driver/nvidia/version; empty if there is none.
std::string kernelRelease(llvm::StringRef text);

} // namespace cudacc::probe
