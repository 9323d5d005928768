// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace cudacc::pipeline {

/// Runs a step of a build by Ninja, where \p argv says so (BuildFolder.h): waits for a place, runs
/// the command unless its record says that it would do the same, and keeps what it printed and read
/// (StepRecord.h). Returns the exit status; std::nullopt for every other call.
std::optional<int> runStep(System &system, llvm::ArrayRef<llvm::StringRef> argv);

} // namespace cudacc::pipeline
