// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/text/Layout.h"

namespace cudacc::commands {

/// What `cuda-cc doctor` prints: of each file the verdict first, what the loader will say, why, the
/// CUDA libraries in the process, and the fixes, best first. Without files: what is there.
std::string doctorText(const DoctorReport &report, report::Style style = {});

} // namespace cudacc::commands
