// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/Propose.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/Requirement.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;
using llvm::json::Object;
using namespace report;

static bool isFramework(StringRef name) {
  return name == "torch" || !tables::frameworksCalled(name).empty();
}

/// False for names that determine the CUDA major, such as `cupy-cuda12x`.
static bool needsVersion(StringRef name) {
  return llvm::none_of(tables::frameworksCalled(name),
                       [](const tables::FrameworkName &each) { return each.fixesMajor(); });
}

/// Whether the requirement applies on Linux, for any Python that the project supports.
static Truth applies(const Marker &marker, StringRef requiresPython) {
  constexpr unsigned oldest = 7, newest = 20;
  auto wanted = SpecifierSet::parse(requiresPython);
  Truth answer = Truth::False;
  for (unsigned minor = oldest; minor <= newest; ++minor) {
    std::string python = fmt::format("3.{}", minor);
    if (wanted && !requiresPython.empty() && !wanted->contains(*Version::parse(python)))
      continue;
    Truth truth = marker.evaluate(MarkerEnvironment::linux(ownMachine().name, python));
    if (truth == Truth::True)
      return truth;
    if (truth == Truth::Unknown)
      answer = truth;
  }
  return answer;
}

/// Why a requirement on a framework is not usable as a declaration; empty if it is.
static std::string flaw(const Requirement &requirement, StringRef requiresPython) {
  if (!requirement.url.empty())
    return requirement.name + " is named by a URL, not by version";
  if (requirement.specifiers.clauses.empty() && needsVersion(requirement.name))
    return requirement.name + " is named without a version";
  if (!requirement.marker)
    return "";
  switch (applies(*requirement.marker, requiresPython)) {
  case Truth::True:
    return "";
  case Truth::False:
    return requirement.text + " is not for Linux, or for no Python of the project";
  case Truth::Unknown:
    break;
  }
  return fmt::format("whether {} applies is not known", requirement.text);
}

static void addProject(Proposal &proposal, const Project &project) {
  for (const ProjectRequirement &each : project.requirements) {
    auto [head, tail] = StringRef(each.text).split(';');
    std::string name = Requirement::normalise(head.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; }));
    if (!isFramework(name))
      continue;
    std::string place = fmt::format("{}:{} ({})", project.shown, each.line, each.list);
    auto requirement = Requirement::parse(each.text);
    std::string why = requirement ? flaw(*requirement, project.requiresPython)
                                  : each.text + " is not a requirement of PEP 508";
    if (!why.empty()) {
      proposal.passed.push_back({place, std::move(why)});
      continue;
    }
    std::string extras = llvm::join(requirement->extras, ",");
    if (!extras.empty())
      extras = fmt::format("[{}]", extras);
    std::string runtime = fmt::format("{}{}{}", requirement->name, extras, requirement->specifiers);
    auto same = [&](const Choice &choice) { return choice.runtime.front() == runtime; };
    if (llvm::none_of(proposal.choices, same))
      proposal.choices.push_back({{runtime}, place + " requires it", {}});
  }
}

Proposal propose(const Project *project, llvm::ArrayRef<std::string> locks,
                 llvm::ArrayRef<std::pair<std::string, std::string>> environments) {
  Proposal proposal;
  if (project)
    addProject(proposal, *project);
  for (const std::string &lock : locks)
    proposal.choices.push_back({{"lock:" + lock}, lock + " pins it", {}});
  for (const auto &[requirement, what] : environments)
    proposal.choices.push_back({{requirement}, what, {}});
  return proposal;
}

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
