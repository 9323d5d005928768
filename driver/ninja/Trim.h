// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/Store.h"
#include "driver/core/Files.h"

namespace cudacc::ninja {

/// Notes in BuildFolder::used of the build folder \p folder that it was used now, and its size.
void noteUse(core::Files &files, llvm::StringRef folder);

/// Removes build folders below \p builds (backend = "ninja"): those that no call used for two
/// weeks, and the longest unused ones while all are larger than 5 GiB together. Looks once a day,
/// and whenever they grew by 256 MiB. What has no BuildFolder::used, or something else than files
/// in it, stays.
void trimBuilds(core::Files &files, cache::Store &store, llvm::StringRef builds);

} // namespace cudacc::ninja
