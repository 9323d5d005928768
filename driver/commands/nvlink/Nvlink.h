// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace cudacc::commands {

/// Runs as nvlink in the directory of pipeline/DeviceLinker.h, from which nvcc starts it: links
/// device code with the runtime's nvJitLink. Returns the exit status; std::nullopt if the program
/// does not lie in such a directory.
std::optional<int> nvlink(pipeline::System &system, llvm::ArrayRef<llvm::StringRef> argv);

} // namespace cudacc::commands
