// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/plan/matrix/MatrixScripts.h"

namespace cudacc::commands {

/// Whether the build that left \p folder (of one build, below the results) has to run again for a
/// file outside of the project: its build tree read it, and it changed since the build began. True,
/// too, if that cannot be determined: the tree is not Ninja's. False if no tree was left.
bool isOutsideNewer(pipeline::System &system, const plan::MatrixPlaces &places,
                    llvm::StringRef folder);

} // namespace cudacc::commands
