// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/TraceReport.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// As described by docs/schema/trace.json.
llvm::json::Value traceJson(const rtld::TraceReport &report);

} // namespace cudacc::commands
