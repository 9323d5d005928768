// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "driver/report/text/Layout.h"

namespace cudacc::commands {

/// The text of `cuda-cc doctor`: for each file the verdict, the loader's error, its causes, the
/// CUDA libraries in the process and the fixes, best first. Without files: the environment.
std::string doctorText(const DoctorReport &report, report::Style style = {});

} // namespace cudacc::commands
