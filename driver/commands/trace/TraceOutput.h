// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Layout.h"
#include "plugins/rtld/TraceReport.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// The text of `cuda-cc trace`: what went wrong, if anything, in the first line; then each library
/// with its copies, who requested it and why that copy was taken; then whether the simulation
/// agrees.
std::string traceText(const rtld::TraceReport &report, report::Style style = {});

/// As described by docs/schema/trace.json.
llvm::json::Value traceJson(const rtld::TraceReport &report);

} // namespace cudacc::commands
