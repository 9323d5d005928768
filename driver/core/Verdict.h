// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <vector>

namespace cudacc::core {

enum class Outcome { Accept, Reject, Unknown };

/// All findings of one check, in the order of the rules. The outcome is computed after all rules
/// have run.
struct Verdict {
  std::vector<Finding> findings;

  void add(Finding finding) { findings.push_back(std::move(finding)); }
  void append(std::vector<Finding> more);
  /// Reject takes precedence over unknown. Warnings and remarks accept.
  Outcome outcome() const;
  /// 3 takes precedence over 4. With \p strict, 3 replaces 4 (F8).
  Exit exit(bool strict = false) const;
};

/// 0, 3 or 4. With \p strict, 3 replaces 4 (F8).
Exit exitOf(Outcome outcome, bool strict = false);
const char *str(Outcome outcome);

} // namespace cudacc::core
