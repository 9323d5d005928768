// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// As `check`, with `environment` and, in each file, `predicted`, `ends`, `loaded` and `remedies`,
/// as described by docs/schema/doctor.json.
llvm::json::Value doctorJson(const DoctorReport &report);

} // namespace cudacc::commands
