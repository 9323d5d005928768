// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Verdict.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// A finding about a build, with its target, build step and place in the project. A field is empty
/// if it is not known or if the finding concerns the build as a whole.
struct AuditFinding {
  Finding finding;
  std::string target;
  /// `compile`, `device link`, `link`, `command`, `artefact`, `install`, `configure`.
  std::string step;
  /// As printed: relative to the working directory if the file lies below it.
  std::string file;
  unsigned line = 0;
};

/// The result of checking a build against its declared runtime.
struct AuditReport {
  /// As named by the user.
  std::string build;
  /// `CMake 3.25.1, Ninja`.
  std::string system;
  /// The runtime the build is declared for. Empty if none is declared.
  std::string runtime;
  /// Number of targets, of targets with CUDA sources, and of artefacts that were read.
  size_t targets = 0, cudaTargets = 0, artefacts = 0;
  std::vector<AuditFinding> findings;

  Verdict verdict() const {
    Verdict all;
    for (const AuditFinding &each : findings)
      all.add(each.finding);
    return all;
  }
};

} // namespace cudacc::core
