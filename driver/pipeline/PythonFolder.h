// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/System.h"
#include <optional>

namespace cudacc::pipeline {

/// Whether a search path entry comes only from the Python that built the file
/// (policy::FileCase::pythonFolders): Python's LDFLAGS add the folder, and it holds none of the
/// CUDA libraries that the file NEEDs (conda's CUDA packages do put them there). \p prefix: the
/// environment the file lies in, or empty. std::nullopt if it could not be determined.
std::optional<bool> isPythonFolder(System &system, const core::BinaryFacts &file,
                                   llvm::StringRef prefix, llvm::StringRef folder);

} // namespace cudacc::pipeline
