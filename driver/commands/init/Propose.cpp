// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/init/Propose.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/Requirement.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

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

} // namespace cudacc::commands
