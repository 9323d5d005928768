// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/versions/CudaVersion.h"

namespace cudacc::probe {

struct ToolVersion {
  versions::CudaVersion cuda;
  /// `13.0.88`; empty: not found.
  std::string version;
};

/// What a compiler program says of itself: it holds `Cuda compilation tools, release 13.0,
/// V13.0.88` (seen in nvcc, cicc and ptxas of 11.8, 12.4, 12.5 and 13.0 to 13.5). Read backwards,
/// as the text lies in the last third of the file; tens of milliseconds for a toolkit, so only when
/// nothing is kept.
ToolVersion readToolVersion(llvm::StringRef path, core::Files &files);

} // namespace cudacc::probe
