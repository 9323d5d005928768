// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/init/Project.h"
#include "driver/core/Verdict.h"
#include "driver/versions/CudaVersion.h"

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

/// Declarations that a project speaks for, best first, lines not yet known: what its pyproject.toml
/// requires of a framework, then its \p locks (`uv.lock`), then \p environments (`env:.venv`, with
/// what each is). \p project may be null. A framework without a version, or for other systems
/// only, is passed over.
Proposal propose(const Project *project, llvm::ArrayRef<std::string> locks,
                 llvm::ArrayRef<std::pair<std::string, std::string>> environments);

} // namespace cudacc::commands
