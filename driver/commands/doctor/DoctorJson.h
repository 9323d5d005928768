// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/doctor/DoctorReport.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// The keys of `check`, `environment`, and in each file `predicted`, `loaded` and `remedies`; form
/// in docs/schema/doctor.json.
llvm::json::Value doctorJson(const DoctorReport &report);

} // namespace cudacc::commands
