#pragma once

#include "driver/commands/target/TargetDiff.h"
#include "driver/report/text/Layout.h"

namespace cudacc::commands {

/// What `cuda-cc target --diff A B` prints: in the first line whether they differ and in how much,
/// then the two, then what differs, A's beside B's.
std::string targetDiffText(const core::Target &a, const core::Target &b, const TargetDiff &diff,
                           report::Style style = {});

} // namespace cudacc::commands
