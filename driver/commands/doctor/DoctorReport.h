// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Toolkit.h"
#include "driver/policy/remedies/Remedy.h"
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/probe/host/Driver.h"

namespace cudacc::commands {

/// What `doctor` says of one file.
struct Diagnosis {
  core::Judgement judgement;
  /// What the process does; empty: it loads. glibc's own words.
  std::string predicted;
  enum class Ends { Loads, Fails, Aborts, FirstCall };
  Ends ends = Ends::Loads;
  std::vector<core::LoadedCopy> loaded;
  /// The last load, which is the file's own unless something before it failed.
  core::LoadResult load;
  std::vector<policy::Remedy> remedies;
};

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

inline std::vector<core::Judgement> judgementsOf(const DoctorReport &report) {
  std::vector<core::Judgement> judgements;
  for (const Diagnosis &each : report.files)
    judgements.push_back(each.judgement);
  return judgements;
}

} // namespace cudacc::commands
