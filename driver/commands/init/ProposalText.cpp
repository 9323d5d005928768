#include "driver/commands/init/ProposalText.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace report;

static std::string lineOf(const Choice &choice) {
  return "CUDA " + (choice.line.known() ? choice.line.str() : "unknown");
}

static std::string toolkitText(const Proposal &proposal) {
  if (proposal.toolkit.empty())
    return "none was found here";
  if (proposal.verdict.outcome() == core::Outcome::Accept)
    return proposal.toolkit + ": accepted";
  std::string out = proposal.toolkit;
  const char *before = ": refused, ";
  for (const core::Finding &finding : proposal.verdict.findings)
    if (finding.severity == core::Severity::Error)
      out += std::exchange(before, "; ") + finding.message + " [" + core::str(finding.code) + "]";
  return out;
}

std::string proposalText(const Proposal &proposal, Style style) {
  const Choice &chosen = proposal.choices.front();
  std::string out =
      (proposal.written ? "wrote " : "would write ") + printable(proposal.file) + "\n";
  llvm::SmallVector<llvm::StringRef, 4> lines;
  llvm::StringRef(proposal.added).split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines)
    out += "    " + painted(printable(line), Paint::Fix, style) + "\n";
  std::vector<std::vector<std::string>> rows;
  rows.push_back({"because", printable(chosen.because + ": " + lineOf(chosen))});
  for (const Choice &other : llvm::drop_begin(proposal.choices))
    rows.push_back({"or", printable(llvm::join(other.runtime, "; ") + ": " + lineOf(other) + ", " +
                                    other.because)});
  for (const core::Fact &fact : proposal.passed)
    rows.push_back({"not", printable(fact.label + ": " + fact.text)});
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
