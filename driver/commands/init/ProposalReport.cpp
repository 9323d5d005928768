// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/ProposalReport.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using llvm::json::Object;
using namespace report;

static llvm::json::Value choiceJson(const Choice &choice) {
  Object out{{"runtime", strings(choice.runtime)}, {"because", fixed(choice.because)}};
  put(out, "line", choice.line);
  return out;
}

llvm::json::Value proposalJson(const Proposal &proposal) {
  Object out{{"schema", 1},
             {"file", fixed(proposal.file)},
             {"added", fixed(proposal.added)},
             {"written", proposal.written},
             {"chosen", choiceJson(proposal.choices.front())},
             {"alternatives", array(llvm::drop_begin(proposal.choices), choiceJson)}};
  out["passed"] = array(proposal.passed, [](const core::Fact &fact) {
    return llvm::json::Value(Object{{"place", fixed(fact.label)}, {"because", fixed(fact.text)}});
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

static std::string lineOf(const Choice &choice) {
  return fmt::format("CUDA {}", choice.line.known() ? choice.line.str() : "unknown");
}

static std::string toolkitText(const Proposal &proposal) {
  if (proposal.toolkit.empty())
    return "none was found here: cuda-cc toolchain build/cuda --fetch brings one that serves";
  if (proposal.verdict.outcome() == core::Outcome::Accept)
    return proposal.toolkit + ": accepted";
  std::string out = proposal.toolkit;
  const char *before = ": refused, ";
  for (const core::Finding &finding : proposal.verdict.findings)
    if (finding.severity == core::Severity::Error)
      out += fmt::format("{}{} [{}]", std::exchange(before, "; "), finding.message,
                         core::str(finding.code));
  return out;
}

std::string proposalText(const Proposal &proposal, Style style) {
  const Choice &chosen = proposal.choices.front();
  std::string out =
      fmt::format("{} {}\n", proposal.written ? "wrote" : "would write", printable(proposal.file));
  llvm::SmallVector<llvm::StringRef, 4> lines;
  llvm::StringRef(proposal.added).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    out += fmt::format("    {}\n", painted(printable(line), Paint::Fix, style));
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"because", printable(fmt::format("{}: {}", chosen.because, lineOf(chosen)))});
  for (const Choice &other : llvm::drop_begin(proposal.choices))
    rows.push_back({"or", printable(fmt::format("{}: {}, {}", llvm::join(other.runtime, "; "),
                                                lineOf(other), other.because))});
  for (const core::Fact &fact : proposal.passed)
    rows.push_back({"not", printable(fmt::format("{}: {}", fact.label, fact.text))});
  rows.push_back({"toolkit", printable(toolkitText(proposal))});
  for (const core::Finding &finding : proposal.verdict.findings)
    if (finding.severity == core::Severity::Error) {
      for (const std::string &fix : finding.fixes)
        rows.push_back({"fix", printable(fix)});
      break;
    }
  return out + table(rows, 2);
}

} // namespace cudacc::commands
