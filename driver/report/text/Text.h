// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// Findings in the form of compiler diagnostics (MS-2), each line ended:
///
///     cuda-cc: error: toolkit CUDA 12.5 is newer than runtime CUDA 12.4 [CC3001]
///       toolkit: nvcc 12.5.82 at /opt/cuda-12.5/bin/nvcc (first on PATH)
///       fix: use a CUDA toolkit <= 12.4 (found: /opt/cuda-12.4), or
///       fix: raise the runtime to torch>=2.7.0 (CUDA 12.6)
///
/// A message too long for the first line is cut at a space, marked with ` ...` before the code, and
/// continued below. An empty message becomes the code's title, an empty fact `unknown`.
std::string text(llvm::ArrayRef<core::Finding> findings, Style style = {});

} // namespace cudacc::report
