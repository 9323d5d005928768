#pragma once

#include "driver/commands/simulation/Diagnosis.h"
#include "driver/core/Toolkit.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/probe/host/Driver.h"

namespace cudacc::commands {

/// What `doctor` found.
struct DoctorReport {
  /// The environment's prefix; empty: none. `why`: "--env", "VIRTUAL_ENV", "the file's place".
  std::string prefix, why;
  /// The program that imports; empty: none was found.
  std::string python;
  std::string torch;
  versions::CudaVersion line;
  probe::RunningDriver driver;
  std::vector<core::FoundToolkit> toolkits;
  std::vector<policy::FoundCopy> copies;
  /// Elements of LD_LIBRARY_PATH.
  std::vector<std::string> libraryPath;
  /// What is imported first.
  std::vector<std::string> before;
  /// Of the environment.
  std::vector<core::Finding> problems;
  std::vector<Diagnosis> files;
};

} // namespace cudacc::commands
