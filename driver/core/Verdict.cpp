#include "driver/core/Verdict.h"
#include <iterator>

namespace cudacc::core {

void Verdict::append(std::vector<Finding> more) {
  findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
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

Exit Verdict::exit(bool strict) const {
  switch (outcome()) {
  case Outcome::Accept:
    return Exit::Ok;
  case Outcome::Reject:
    return Exit::Rejected;
  case Outcome::Unknown:
    return strict ? Exit::Rejected : Exit::Unlearnt;
  }
  return Exit::Internal;
}

const char *str(Outcome outcome) {
  switch (outcome) {
  case Outcome::Accept:
    return "accept";
  case Outcome::Reject:
    return "reject";
  case Outcome::Unknown:
    return "unknown";
  }
  return "";
}

} // namespace cudacc::core
