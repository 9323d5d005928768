// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/report/text/Layout.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::commands {

/// What `cuda-cc trace` prints: in the first line what went wrong, or that nothing did; then each
/// library with its copies, who asked for it and why that copy was taken; then whether the
/// simulation says the same.
std::string traceText(const rtld::TraceReport &report, report::Style style = {});

} // namespace cudacc::commands
