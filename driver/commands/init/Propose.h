// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/init/Project.h"
#include "driver/core/Verdict.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/Support/JSON.h"

namespace cudacc::commands {

/// A possible declaration, and the reason for it.
struct Choice {
  /// Requirements that must all hold.
  std::vector<std::string> runtime;
  /// "pyproject.toml:7 (dependencies)", "uv.lock pins it".
  std::string because;
  versions::CudaVersion line;
};

/// The result of `init`. Choices are sorted best first.
struct Proposal {
  std::vector<Choice> choices;
  /// Sources that declare nothing usable: the label is the place, the text the reason.
  std::vector<core::Fact> passed;
  /// The file to write, as printed, and what is added to it.
  std::string file, added;
  bool written = false;
  /// "CUDA 12.5 at /opt/cuda-12.5 (first on PATH)"; empty if none was found.
  std::string toolkit;
  /// Verdict on that toolkit for the first choice.
  core::Verdict verdict;
};

/// Declarations that fit a project, best first, with CUDA lines not yet set: from the frameworks
/// that its pyproject.toml requires, then from \p locks (`uv.lock`), then from \p environments
/// (`env:.venv`, with a description). \p project may be null. Frameworks without a version, or for
/// other systems only, are not used.
Proposal propose(const Project *project, llvm::ArrayRef<std::string> locks,
                 llvm::ArrayRef<std::pair<std::string, std::string>> environments);

/// As described by docs/schema/init.json.
llvm::json::Value proposalJson(const Proposal &proposal);

/// The text of `cuda-cc init`: what was written where and why, the alternatives, the sources that
/// were not used, and whether the toolkit found here fits the first choice, which must exist.
std::string proposalText(const Proposal &proposal, report::Style style = {});

} // namespace cudacc::commands
