// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/policy/advice/LookAround.h"
#include "driver/policy/advice/RuntimeSubstitute.h"

namespace cudacc::policy {

/// TG-3: whether \p version is a newer minor of the same major, or of another major, older or
/// newer.
bool exceeds(versions::CudaVersion version, versions::CudaVersion line);

/// "runtime: torch==2.5.1 in pyproject.toml:14, which pins nvidia-nvjitlink-cu12 12.4.127", with
/// the pin of the first library whose SONAME begins with \p soname.
core::Fact runtimeFact(const core::Target &target, llvm::StringRef soname);

/// " (found: /usr/local/cuda-12.4)": the toolkits on this machine that do not exceed \p line. Empty
/// if there are none.
std::string nearbyText(LookAround lookAround, versions::CudaVersion line);

/// Fixes for something that needs CUDA \p version, which exceeds the target: a toolkit on this
/// machine that does not exceed it, the first accepted runtime that reaches the version, an
/// override that gets recorded.
std::vector<std::string> fixesFor(const core::Target &target, versions::CudaVersion version,
                                  LookAround lookAround, Accepts accepts);

} // namespace cudacc::policy
