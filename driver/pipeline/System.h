// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "driver/pipeline/Progress.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/run/Console.h"
#include <string>

namespace cudacc::pipeline {

/// Everything outside the process, behind its seams. Only the pipeline and the commands get it;
/// pure libraries never do.
struct System {
  core::Files &files;
  core::Runner &runner;
  run::Console &console;
  core::Environment environment;
  /// Absolute path of the running program, and a check whether a path is that program.
  std::string self;
  probe::Self selfFile;
  unsigned uid = 0;
  Clock clock = steadyClock;
  /// Where long work reports to; null where nobody watches (Watched.h).
  Progress *progress = nullptr;

  /// The same with other files.
  System above(core::Files &others) { return above(others, console, progress); }
  System above(core::Files &others, run::Console &watched, Progress *shown) {
    return {others, runner, watched, environment, self, selfFile, uid, clock, shown};
  }
};

} // namespace cudacc::pipeline
