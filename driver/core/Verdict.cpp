// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Verdict.h"
#include "driver/versions/EnumWords.h"
#include <algorithm>

namespace cudacc::core {

static bool saysTheSame(const Finding &one, const Finding &other) {
  auto sameFact = [](const Fact &a, const Fact &b) {
    return a.label == b.label && a.text == b.text;
  };
  return one.code == other.code && one.severity == other.severity && one.message == other.message &&
         one.library == other.library && one.symbol == other.symbol &&
         std::equal(one.facts.begin(), one.facts.end(), other.facts.begin(), other.facts.end(),
                    sameFact);
}

void Verdict::append(std::vector<Finding> more) {
  for (Finding &finding : more)
    if (std::none_of(findings.begin(), findings.end(),
                     [&](const Finding &each) { return saysTheSame(each, finding); }))
      findings.push_back(std::move(finding));
}

Outcome Verdict::outcome() const {
  Outcome worst = Outcome::Accept;
  for (const Finding &finding : findings) {
    if (finding.severity != Severity::Error)
      continue;
    if (info(finding.code).codeClass == CodeClass::Unknown)
      worst = worst == Outcome::Reject ? worst : Outcome::Unknown;
    else
      worst = Outcome::Reject;
  }
  return worst;
}

Exit Verdict::exit(bool strict) const { return exitOf(outcome(), strict); }

Exit exitOf(Outcome outcome, bool strict) {
  switch (outcome) {
  case Outcome::Accept:
    return Exit::Ok;
  case Outcome::Reject:
    return Exit::Rejected;
  case Outcome::Unknown:
    return strict ? Exit::Rejected : Exit::Undetermined;
  }
  return Exit::Internal;
}

const char *str(Outcome outcome) {
  static constexpr const char *words[] = {"accept", "reject", "unknown"};
  return versions::entryOf<Outcome::Unknown>(words, outcome);
}

} // namespace cudacc::core
