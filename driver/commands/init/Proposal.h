#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Verdict.h"
#include "driver/versions/CudaVersion.h"
#include <string>
#include <vector>

namespace cudacc::commands {

/// A declaration that would do, and what speaks for it.
struct Choice {
  /// All hold together.
  std::vector<std::string> runtime;
  /// "pyproject.toml:7 (dependencies)", "uv.lock pins it".
  std::string because;
  versions::CudaVersion line;
};

/// What `init` found, best first.
struct Proposal {
  std::vector<Choice> choices;
  /// What says nothing usable: label is the place, text why.
  std::vector<core::Fact> passed;
  /// File it goes to, as it should be printed, and what is added there.
  std::string file, added;
  bool written = false;
  /// "CUDA 12.5 at /opt/cuda-12.5 (first on PATH)"; empty: none was found.
  std::string toolkit;
  /// What the first choice says to that toolkit.
  core::Verdict verdict;
};

} // namespace cudacc::commands
