// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/System.h"
#include "driver/report/text/Layout.h"

namespace cudacc::pipeline {

/// Styles for stdout and stderr. Colours are used on a terminal, unless NO_COLOR is set and not
/// empty, or TERM is `dumb`.
report::Style outStyle(System &system);
report::Style errStyle(System &system);

} // namespace cudacc::pipeline
