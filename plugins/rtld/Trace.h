// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Replay.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::rtld {

/// What the records say about NVIDIA's libraries. \p module: only what that module asked for, and
/// what it pulled in, by a folder or a file of that name in the path of the object that asks;
/// empty: everything. Command and status are the caller's to fill.
TraceReport trace(const Records &records, llvm::StringRef module, const Surroundings &surroundings);

/// Leaves only what \p module asked for, and the request that brought a copy first.
void keepModule(TracedProcess &process, llvm::StringRef module);

} // namespace cudacc::rtld
