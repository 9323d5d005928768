// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Replay.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::rtld {

/// The report on NVIDIA's libraries. \p module: report only what that module requested and pulled
/// in, where the requesting object's path has a folder or file of that name; empty for everything.
/// The caller fills in command and status.
TraceReport trace(const Records &records, llvm::StringRef module, const MachineFiles &surroundings);

/// Keeps only the requests of \p module, and for each copy the request that loaded it first.
void keepModule(TracedProcess &process, llvm::StringRef module);

} // namespace cudacc::rtld
