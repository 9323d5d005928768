// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

/// The CUDA release that a CUDA core header states (EV-7).
struct HeaderVersion {
  versions::CudaVersion cuda;
  /// Why `cuda` is unknown: "no CUDA_VERSION in it".
  std::string problem;
  /// The file identifies itself as CUDA's: it defines the version macro, with any value, or
  /// NVIDIA's include guard.
  bool saysCuda = false;
  /// The file could not be read, or not completely, so its release is unknown.
  bool unreadable = false;
  /// Has `include_next`, so it may include the next file of its name on the include path.
  bool passesOn = false;
};

/// Reads the first `#define CUDA_VERSION` of cuda.h or `#define CUDART_VERSION` of
/// cuda_runtime_api.h. In 11.8 to 13.5 it is at 13 to 15 thousand bytes and at 6 thousand,
/// respectively; a file without it there, perhaps not CUDA's, is read on, up to 16 MiB.
HeaderVersion readHeaderVersion(llvm::StringRef path, core::Files &files);

/// Parses the text of a header; exposed for tests.
HeaderVersion parseHeaderVersion(llvm::StringRef text, llvm::StringRef macro);

/// The digits of the first `#define MACRO 12` in \p text: empty if its value is no number,
/// std::nullopt if there is no definition.
std::optional<llvm::StringRef> definedNumber(llvm::StringRef text, llvm::StringRef macro);

} // namespace cudacc::probe
