// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

/// The driver of this machine, read from its files; nothing of it is run.
struct RunningDriver {
  /// The libcuda.so.1 that the loader takes; empty: there is none.
  std::string path;
  /// Its release (`535.104.05`), and the kernel module's; empty: not known, or not there.
  std::string release, kernel;
  /// By the release; 0.0: not known.
  versions::CudaVersion cuda;
  /// "the name of its file", "/proc/driver/nvidia/version".
  std::string evidence;
  /// It is the stub that exists for linking.
  bool isStub = false;

  bool present() const { return !path.empty() && !isStub; }
};

/// The driver behind \p libcuda, the libcuda.so.1 that the loader takes (empty: none), and the
/// kernel module's release from /proc/driver/nvidia/version. Its release is in the name of the file
/// that links lead to (libcuda.so.535.104.05), else in that of libnvidia-ml beside it, which is of
/// the same release, else the module's. The CUDA version is left to the tables.
RunningDriver readDriver(llvm::StringRef libcuda, core::Files &files);

/// The release in the text of /proc/driver/nvidia/version; empty: none.
std::string kernelRelease(llvm::StringRef text);

} // namespace cudacc::probe
