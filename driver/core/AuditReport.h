// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Verdict.h"
#include <string>
#include <vector>

namespace cudacc::core {

/// A finding about a build: of which target, in which step, and where in the project that is
/// written. Each may be empty: not known, or about the build as a whole.
struct AuditFinding {
  Finding finding;
  std::string target;
  /// `compile`, `device link`, `link`, `command`, `artefact`, `install`, `configure`.
  std::string step;
  /// As printed: relative to the working directory where it lies below that.
  std::string file;
  unsigned line = 0;
};

/// A build compared with its target.
struct AuditReport {
  /// As named by the user.
  std::string build;
  /// `CMake 3.25.1, Ninja`.
  std::string system;
  /// What the build is declared for; empty: nothing is.
  std::string runtime;
  /// How many targets there are, how many have CUDA in them, and how many artefacts were read.
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
