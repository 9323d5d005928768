// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <vector>

namespace cudacc::core {

enum class Outcome { Accept, Reject, Unknown };

/// Every finding of one judgement, in the order of the rules. Nothing is decided before all rules
/// have spoken.
struct Verdict {
  std::vector<Finding> findings;

  void add(Finding finding) { findings.push_back(std::move(finding)); }
  void append(std::vector<Finding> more);
  /// Reject outranks unknown; warnings and remarks accept.
  Outcome outcome() const;
  /// 3 outranks 4; \p strict knows no 4 (F8).
  Exit exit(bool strict = false) const;
};

const char *str(Outcome outcome);

} // namespace cudacc::core
