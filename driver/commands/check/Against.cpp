// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/Against.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/resolve/Runtimes.h"
#include "driver/versions/Format.h"
#include <map>

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// The value of `--against` that stands for every known release.
static constexpr StringRef everyRelease = "all";

/// Releases that match, among those of `--against all`.
static std::vector<std::string> releasesOf(StringRef name, const SpecifierSet &specifiers,
                                           const tables::UserTables *more) {
  std::vector<std::string> found;
  for (const std::string &text : resolve::knownRuntimes(more)) {
    auto [its, number] = StringRef(text).split("==");
    auto version = Version::parse(number);
    if (its == name && version && specifiers.contains(*version))
      found.push_back(text);
  }
  return found;
}

/// `==2.9.1` and not `==2.9.*`: it may name a build that is in no list.
static bool isExact(const SpecifierSet &specifiers) {
  return llvm::any_of(specifiers.clauses, [](const Specifier &clause) {
    return (clause.op == Specifier::Op::Equal && !clause.prefix) ||
           clause.op == Specifier::Op::Arbitrary;
  });
}

static llvm::Expected<std::vector<std::string>>
releasesFor(StringRef text, const tables::UserTables *more, bool &named) {
  Setting<std::string> setting{text.str(), {Origin::Kind::Option, "--against"}};
  auto requirement = resolve::parseRequirement(setting);
  if (!requirement)
    return requirement.takeError();
  requirement->more = more;
  named = !requirement->isFramework() && requirement->kind != resolve::RequirementKind::Cuda;
  named |= isExact(requirement->specifiers) || requirement->specifiers.clauses.empty();
  if (named)
    return std::vector{text.str()};
  std::vector<std::string> found;
  std::vector<std::string> fixes;
  if (requirement->kind == resolve::RequirementKind::Framework) {
    for (const resolve::FrameworkRelease &release : resolve::releasesOf(*requirement))
      found.push_back(fmt::format("{}=={}", requirement->framework, release.text));
    found.erase(std::unique(found.begin(), found.end()), found.end());
  } else {
    bool isTorch = requirement->kind == resolve::RequirementKind::Torch;
    found = releasesOf(isTorch ? "torch" : "cuda", requirement->specifiers, more);
    fixes = {"cuda-cc check --against all FILE shows which are known"};
  }
  if (found.empty())
    return makeError(Code::BadRequirement, fmt::format("no known release satisfies {}", text),
                     {{"declared", "in --against"}}, std::move(fixes));
  return found;
}

/// The first requirement that names a runtime may be a range; the others are added to each release.
static llvm::Error addRows(StringRef text, const tables::UserTables *more,
                           std::vector<AgainstRow> &rows) {
  StringRef first;
  std::string others;
  for (StringRef part : llvm::split(text, ';')) {
    part = part.trim();
    StringRef head = part.take_while([](char c) { return llvm::isAlpha(c); });
    if (first.empty() && head != "sm" && head != "driver")
      first = part;
    else if (!part.empty())
      others += fmt::format(";{}", part);
  }
  bool named = false;
  auto releases = releasesFor(first, more, named);
  if (!releases)
    return releases.takeError();
  for (const std::string &release : *releases)
    rows.push_back({release + others, named});
  return llvm::Error::success();
}

llvm::Expected<std::vector<AgainstRow>> rowsAgainst(const JudgeArguments &arguments,
                                                    const tables::UserTables *more) {
  std::vector<AgainstRow> rows;
  for (const std::string &text : arguments.against)
    if (StringRef(text).trim().empty())
      return usageError("--against needs all, or a requirement: 'torch>=2.9,<2.12'");
    else if (text != everyRelease)
      if (auto error = addRows(text, more, rows))
        return error;
  if (llvm::is_contained(arguments.against, everyRelease))
    for (std::string &text : resolve::knownRuntimes(more))
      rows.push_back({std::move(text), false});
  return rows;
}

int exitOfRows(llvm::ArrayRef<Judgement> judgements, const CheckArguments &arguments, bool strict) {
  struct Row {
    Exit exit = Exit::Ok;
    bool excluded = false;
  };
  std::map<llvm::StringRef, Row> rows;
  for (const Judgement &judgement : judgements) {
    Row &row = rows[judgement.runtime];
    // A runtime that no installer would combine with the wheel is not counted.
    row.excluded |= !judgement.excludedBy.empty();
    row.exit = worse(row.exit, judgement.verdict.exit(strict));
  }
  unsigned accepted = 0, rejected = 0, unknown = 0;
  for (const auto &[name, row] : rows)
    if (!row.excluded)
      ++(row.exit == Exit::Ok ? accepted : row.exit == Exit::Rejected ? rejected : unknown);
  int bad = int(unknown && !rejected ? Exit::Undetermined : Exit::Rejected);
  if (arguments.minAccepted)
    return accepted >= *arguments.minAccepted ? 0 : bad;
  if (llvm::all_of(arguments.against, [](StringRef each) { return each == everyRelease; }))
    return accepted || rows.empty() ? 0 : bad;
  return accepted && !rejected && !unknown ? 0 : bad;
}

void addNeeds(const BinaryFacts &file, llvm::ArrayRef<LibraryFloor> floors, policy::Needs &needs) {
  if (unsigned major = policy::majorOf(file))
    return needs.add(policy::floorsOfNeeded(file, major));
  for (const LibraryFloor &floor : floors)
    if (llvm::any_of(needs.declared,
                     [&](const Requirement &each) { return each.name == floor.dist; }))
      needs.add(floor);
}

} // namespace cudacc::commands
