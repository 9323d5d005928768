// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/pipeline/Progress.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/run/Seams.h"

namespace cudacc::pipeline {

/// Everything outside the process, behind its seams. Only the pipeline and the commands get it;
/// pure libraries never do.
struct System : run::Seams {
  /// Whether a path is the running program.
  probe::Self selfFile;
  Clock clock = steadyClock;
  /// Where long work reports to; null where nobody watches (Watched.h).
  Progress *progress = nullptr;

  /// The same with other files.
  System above(core::Files &others) { return above(others, console, progress); }
  System above(core::Files &others, run::Console &watched, Progress *shown) {
    return {{others, runner, watched, environment, self, uid}, selfFile, clock, shown};
  }
};

} // namespace cudacc::pipeline
