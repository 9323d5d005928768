// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// "torch==2.5.1 (--runtime): CUDA 12.4, driver >= ...", not wrapped.
std::string targetHead(const core::Target &target);

/// Output of `cuda-cc target --check`: the same with the number of libraries, a line.
std::string targetLine(const core::Target &target, Style style = {});

/// Output of `cuda-cc target`: the declaration with its CUDA line and drivers, then one row per
/// library with its origin.
std::string targetTable(const core::Target &target, Style style = {});

} // namespace cudacc::report
