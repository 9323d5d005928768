// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Colours.h"

namespace cudacc::pipeline {

static bool allowsColours(const core::Environment &environment) {
  return environment.getOr("NO_COLOR").empty() && environment.getOr("TERM") != "dumb";
}

report::Style outStyle(System &system) {
  return {system.console.outIsTerminal() && allowsColours(system.environment)};
}

report::Style errStyle(System &system) {
  return {system.console.errIsTerminal() && allowsColours(system.environment)};
}

} // namespace cudacc::pipeline
