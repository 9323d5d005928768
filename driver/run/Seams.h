// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Runner.h"
#include "driver/run/Console.h"
#include <string>

namespace cudacc::run {

/// Everything outside the process that may be read, written or started, and what this process is.
struct Seams {
  core::Files &files;
  core::Runner &runner;
  Console &console;
  core::Environment environment;
  /// Absolute path of the running program.
  std::string self;
  unsigned uid = 0;
};

} // namespace cudacc::run
