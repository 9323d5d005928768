// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

struct ToolVersion {
  versions::CudaVersion cuda;
  /// `13.0.88`; empty if not found.
  std::string version;
};

/// Reads the version from a compiler program's bytes, which contain `Cuda compilation tools,
/// release 13.0, V13.0.88` (seen in nvcc, cicc and ptxas of 11.8, 12.4, 12.5 and 13.0 to 13.5).
/// Reads backwards, since the text is in the last third of the file. Takes tens of milliseconds for
/// a toolkit, so it is called only if nothing is cached.
ToolVersion readToolVersion(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
