#pragma once

#include "driver/core/TargetDiff.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// What `cuda-cc target --diff A B` prints: in the first line whether they differ and in how much,
/// then the two, then what differs, A's beside B's.
std::string targetDiff(const core::Target &a, const core::Target &b, const core::TargetDiff &diff,
                       Style style = {});

} // namespace cudacc::report
