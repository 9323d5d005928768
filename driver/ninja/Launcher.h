// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/ninja/Ninja.h"
#include "driver/ninja/graph/StepGraph.h"

namespace cudacc::ninja {

/// Puts the launchers of \p call before the commands that they understand: compiles of the host
/// compiler, and for sccache 0.10 or newer those of cicc and ptxas. \p store keeps what sccache
/// said about its version.
void launchCompiles(run::Seams &seams, cache::Store &store, const NvccCompile &call,
                    StepGraph &graph);

} // namespace cudacc::ninja
