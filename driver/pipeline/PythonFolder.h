// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/pipeline/System.h"
#include <optional>

namespace cudacc::pipeline {

/// Whether a search path entry of the file is there because of the Python that built it alone
/// (policy::Subject::isPythonFolder): its LDFLAGS add the folder, and none of CUDA's libraries that
/// the file NEEDs lies there, as conda's packages of CUDA do. \p prefix: the environment that the
/// file lies in; empty: none. Nothing: nobody on this machine knows.
std::optional<bool> isPythonFolder(System &system, const core::BinaryFacts &file,
                                   llvm::StringRef prefix, llvm::StringRef folder);

} // namespace cudacc::pipeline
