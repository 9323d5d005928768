// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/advice/LookAround.h"
#include "driver/policy/advice/RuntimeSubstitute.h"

namespace cudacc::policy {

/// TG-3: newer minor, or another major in either direction.
bool exceeds(versions::CudaVersion version, versions::CudaVersion line);

/// "runtime: torch==2.5.1 in pyproject.toml:14, which pins nvidia-nvjitlink-cu12 12.4.127", the pin
/// of the first library whose SONAME begins with \p soname.
core::Fact runtimeFact(const core::Target &target, llvm::StringRef soname);

/// " (found: /usr/local/cuda-12.4)": toolkits on this machine that do not exceed \p line; empty:
/// none.
std::string nearbyText(LookAround lookAround, versions::CudaVersion line);

/// Fixes for something of CUDA \p version that the target does not reach: a toolkit that lies on
/// this machine, the first runtime that would do and is accepted, an override that is recorded.
std::vector<std::string> fixesFor(const core::Target &target, versions::CudaVersion version,
                                  LookAround lookAround, Accepts accepts);

} // namespace cudacc::policy
