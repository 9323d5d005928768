#pragma once

#include "driver/core/Judgement.h"
#include "driver/core/LoadResult.h"
#include "driver/policy/remedies/Remedy.h"

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

const char *str(Diagnosis::Ends ends);

} // namespace cudacc::commands
