#pragma once

#include "driver/core/TraceReport.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"

namespace cudacc::report {

/// What `cuda-cc trace` prints: in the first line what went wrong, or that nothing did; then each
/// library with its copies, who asked for it and why that copy was taken; then whether the
/// simulation says the same.
std::string trace(const core::TraceReport &report, Style style = {});
/// Form in docs/schema/trace.json.
llvm::json::Value toJson(const core::TraceReport &report);

} // namespace cudacc::report
