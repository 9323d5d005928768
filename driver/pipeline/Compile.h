// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Call.h"
#include "driver/pipeline/System.h"

namespace cudacc::pipeline {

/// One compiler call from start to end: find, resolve, check, plan, run; for a link also check and
/// seal the output. \p place: see findDirectory. Returns the exit status; does not return if the
/// compiler replaced the process.
int compile(System &system, core::Invocation invocation, CallDirectory place);

} // namespace cudacc::pipeline
