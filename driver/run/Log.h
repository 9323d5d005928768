// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "llvm/Support/JSON.h"

namespace cudacc::run {

/// Appends one JSON line to CUDA_CC_LOG's file (F19). Write errors are ignored, as a log must never
/// change a build.
void log(core::Files &files, llvm::StringRef path, llvm::json::Object entry);

} // namespace cudacc::run
