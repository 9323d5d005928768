#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/core/Files.h"

namespace cudacc::probe {

/// What a CUDA core header says about its release (EV-7).
struct HeaderVersion {
  core::CudaVersion cuda;
  /// Why it is not known: "no CUDA_VERSION in its first 64 KiB".
  std::string problem;
};

/// From `#define CUDA_VERSION` of cuda.h, `#define CUDART_VERSION` of cuda_runtime_api.h: the first
/// line with it among the first 64 KiB (offsets observed in 11.8 to 13.5: 13 to 15 thousand, and
/// 6 thousand).
HeaderVersion readHeaderVersion(llvm::StringRef path, core::Files &files);

/// The same of a text. Exposed for tests.
HeaderVersion parseHeaderVersion(llvm::StringRef text, llvm::StringRef macro);

} // namespace cudacc::probe
