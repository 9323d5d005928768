#include "driver/commands/init/ProposalJson.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Object;
using llvm::json::Value;

static Value choiceJson(const Choice &choice) {
  Object out{{"runtime", strings(choice.runtime)}, {"because", fixed(choice.because)}};
  put(out, "line", choice.line);
  return out;
}

Value proposalJson(const Proposal &proposal) {
  Object out{{"schema", 1},
             {"file", fixed(proposal.file)},
             {"added", fixed(proposal.added)},
             {"written", proposal.written},
             {"chosen", choiceJson(proposal.choices.front())},
             {"alternatives", array(llvm::drop_begin(proposal.choices), choiceJson)}};
  out["passed"] = array(proposal.passed, [](const core::Fact &fact) {
    return Value(Object{{"place", fixed(fact.label)}, {"because", fixed(fact.text)}});
  });
  if (!proposal.toolkit.empty()) {
    Object toolkit{{"text", fixed(proposal.toolkit)},
                   {"verdict", core::str(proposal.verdict.outcome())}};
    toolkit["findings"] = array(proposal.verdict.findings,
                                [](const core::Finding &finding) { return toJson(finding); });
    out["toolkit"] = std::move(toolkit);
  }
  return out;
}

} // namespace cudacc::commands
