// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

/// What a CUDA core header says about its release (EV-7).
struct HeaderVersion {
  versions::CudaVersion cuda;
  /// Why it is not known: "no CUDA_VERSION in it".
  std::string problem;
  /// The file says that it is CUDA's: it defines the version macro, with whatever value, or
  /// NVIDIA's include guard.
  bool saysCuda = false;
  /// It could not be read, or not to its end: what it would have said is not known.
  bool unreadable = false;
  /// It has `include_next`, so it may pass on to the next file of its name on the include path.
  bool passesOn = false;
};

/// From `#define CUDA_VERSION` of cuda.h, `#define CUDART_VERSION` of cuda_runtime_api.h: the first
/// line with it. In 11.8 to 13.5 it lies at 13 to 15 thousand bytes, and at 6 thousand; a file
/// without it there is read on, up to 16 MiB, since it may be somebody else's.
HeaderVersion readHeaderVersion(llvm::StringRef path, core::Files &files);

/// The same of a text. Exposed for tests.
HeaderVersion parseHeaderVersion(llvm::StringRef text, llvm::StringRef macro);

/// The digits of the first `#define MACRO 12` in \p text: empty where it has another value, nothing
/// where there is none.
std::optional<llvm::StringRef> definedNumber(llvm::StringRef text, llvm::StringRef macro);

} // namespace cudacc::probe
