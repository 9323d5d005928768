#pragma once

#include "driver/tools/CheckLoad.h"

namespace cudacc::tools {

/// What the loader would do with a file in an environment of this disk: where it lies, or where it
/// will be installed, with what goes along. A missing library that is none of NVIDIA's is told only
/// when nothing else is missing.
core::LoadResult loadInstalled(World &world, Disk &disk, InstalledTree &tree,
                               const Package &package, const Input &input,
                               const core::BinaryFacts &facts);

} // namespace cudacc::tools
