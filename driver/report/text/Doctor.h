#pragma once

#include "driver/core/Doctor.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// What `cuda-cc doctor` prints: of each file the verdict first, what the loader will say, why, the
/// CUDA libraries in the process, and the ways out, best first. Without files: what is there.
std::string doctor(const core::DoctorReport &report, Style style = {});

} // namespace cudacc::report
