// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Call.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// One compiler call from start to end: found, resolved, judged, planned, run, and where it links
/// judged again and sealed. \p place: the toolchain directory it is made in. Exit status; does not
/// return when the compiler replaced the process.
int compile(System &system, core::Invocation invocation, CallDirectory place);

} // namespace cudacc::pipeline
