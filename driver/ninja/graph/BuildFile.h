// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/ninja/graph/StepGraph.h"

namespace cudacc::ninja {

/// The build.ninja of \p graph. Each step is `RUNNER NAME KEY`, where \p keys has a word for each
/// step that changes with everything the step depends on besides its inputs. std::nullopt if a name
/// cannot be written.
std::optional<std::string> buildFile(const StepGraph &graph, llvm::ArrayRef<std::string> keys,
                                     llvm::StringRef runner);

} // namespace cudacc::ninja
