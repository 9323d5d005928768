// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// Removes the folders of outputs below \p builds (backend = "ninja") that no call used for two
/// weeks. Looks at most once a day. A folder has a file BuildFolder::used with the time of its last
/// call; one that has none, or something else than files, stays.
void trimBuilds(System &system, cache::Store &store, llvm::StringRef builds);

} // namespace cudacc::pipeline
