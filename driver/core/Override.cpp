// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Override.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::core {

bool RuleName::has(Code code) const { return llvm::is_contained(codes, code); }

std::string SeverityChange::str() const {
  return fmt::format("{}={}", rule.word, core::str(severity));
}

bool SeverityChange::lowers() const {
  return llvm::any_of(rule.codes, [&](Code code) { return severity < severityOf(code); });
}

std::string Waiver::str() const {
  return fmt::format("{}{}: {}", rule.word, what.empty() ? "" : " " + what, reason);
}

} // namespace cudacc::core
