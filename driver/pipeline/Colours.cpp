#include "driver/pipeline/Colours.h"

namespace cudacc::pipeline {

static bool allowsColours(const core::Environment &environment) {
  return environment.getOr("NO_COLOR").empty() && environment.getOr("TERM") != "dumb";
}

report::Style outStyle(World &world) {
  return {world.console.outIsTerminal() && allowsColours(world.environment)};
}

report::Style errStyle(World &world) {
  return {world.console.errIsTerminal() && allowsColours(world.environment)};
}

} // namespace cudacc::pipeline
