// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/ResolveErrors.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/resolve/Runtimes.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/UserTables.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// The fix for F16.
static constexpr const char *byFile = "facts = FILE, which adds the release (docs/facts.md)";

void addUpdate(const tables::UserTables *more, Finding &result) {
  bool isPackage = more && !more->packageRelease.empty();
  result.addFact("tables", fmt::format("of {}", isPackage ? StringRef(more->packageRelease)
                                                          : tables::dataRelease()));
  result.addFix("pip install -U cuda-cc-facts, where newer tables have it");
}

/// Releases that have the first two numbers in common with the requirement: `2.5.0, 2.5.1`.
static std::string siblings(const DeclaredRequirement &requirement) {
  std::string list;
  const Version &wanted = requirement.specifiers.clauses.front().version;
  for (const tables::TorchRelease &each : tables::torchReleases(requirement.more))
    if (each.major == wanted.at(0) && each.minor == wanted.at(1))
      support::appendItem(list, each.str());
  return list;
}

/// The known release that a requirement with an unknown local label names; std::nullopt if that is
/// unknown too.
static std::optional<tables::TorchRelease> releaseBehind(const DeclaredRequirement &requirement) {
  for (const Specifier &clause : requirement.specifiers.clauses)
    for (const tables::TorchRelease &each : tables::torchReleases(requirement.more))
      if (!clause.version.local.empty() && each.major == clause.version.at(0) &&
          each.minor == clause.version.at(1) && each.patch == clause.version.at(2))
        return each;
  return std::nullopt;
}

static llvm::Error unknownTag(const DeclaredRequirement &requirement,
                              const tables::TorchRelease &release) {
  Finding result = findingAbout(
      Code::UnknownRelease,
      fmt::format("torch {} has no known line {}", release, tagOf(requirement)), requirement);
  std::string lines;
  for (const tables::TorchLine &line : tables::torchLines(release)) {
    support::appendItem(lines, fmt::format("{}{}", line.tag, line.isDefault ? " (PyPI)" : ""));
    result.addFix(fmt::format("torch=={}+{}", release, line.tag));
  }
  result.addFact("lines", lines);
  result.addFix("env:PATH, what is installed there");
  addUpdate(requirement.more, result);
  result.addFix(byFile);
  return makeError(std::move(result));
}

/// The known releases next to the wanted one, the older first; the newest alone for a newer one.
static std::vector<std::string> neighbours(const DeclaredRequirement &requirement) {
  const Version &wanted = requirement.specifiers.clauses.front().version;
  std::string older, newer;
  for (const tables::TorchRelease &each : tables::torchReleases(requirement.more)) {
    std::string text = fmt::format("torch=={}", each);
    if (*Version::parse(each.str()) < wanted)
      older = std::move(text);
    else if (newer.empty())
      newer = std::move(text);
  }
  std::vector<std::string> found;
  for (std::string &each : {std::ref(older), std::ref(newer)})
    if (!each.empty())
      found.push_back(std::move(each));
  return found;
}

static llvm::Error unknownTorch(const DeclaredRequirement &requirement) {
  Finding result = findingAbout(
      Code::UnknownRelease, "no known torch release satisfies " + requirement.text(), requirement);
  tables::TorchRelease newest = tables::torchReleases(requirement.more).back();
  bool isNewer = *Version::parse(newest.str()) < requirement.specifiers.clauses.front().version;
  result.addFact("newest", fmt::format("torch {} (CUDA {})", newest, newest.defaultLine));
  if (std::string known = siblings(requirement); !known.empty())
    result.addFact("known", known);
  // A release that the tables do not have yet, or none that ever was.
  if (!isNewer)
    result.fixes = neighbours(requirement);
  result.addFix("env:PATH, what is installed there");
  if (isNewer)
    result.addFix(
        fmt::format("the CUDA line of that release itself, cuda=={}", newest.defaultLine));
  if (isNewer)
    addUpdate(requirement.more, result);
  result.addFix(byFile);
  return makeError(std::move(result));
}

static llvm::Error unknownCuda(const DeclaredRequirement &requirement) {
  Finding result = findingAbout(
      Code::UnknownRelease, "no known CUDA release satisfies " + requirement.text(), requirement);
  const Version &named = requirement.specifiers.clauses.front().version;
  CudaVersion wanted{unsigned(named.at(0)), unsigned(named.at(1))};
  std::string releases;
  if (namesRelease(requirement))
    for (const tables::ToolkitRelease &each : tables::toolkitReleases(requirement.more))
      if (each.line() == wanted)
        support::appendItem(releases, each.str());
  auto all = tables::toolkitLines(requirement.more);
  bool knownMajor = llvm::any_of(all, [&](CudaVersion line) { return line.major == wanted.major; });
  std::string lines;
  std::optional<CudaVersion> older, newer;
  for (CudaVersion line : all) {
    if (knownMajor && line.major != wanted.major)
      continue;
    support::appendItem(lines, line.str());
    if (!(wanted < line))
      older = line;
    else if (!newer)
      newer = line;
  }
  bool isNewer = releases.empty() && !newer;
  // The line of a release that never was is known; else the ones next to it are the nearest.
  if (!releases.empty())
    newer.reset();
  result.addFact("known", releases.empty() ? lines : releases);
  for (std::optional<CudaVersion> line : {older, newer})
    if (line)
      result.addFix(fmt::format("cuda=={}", *line));
  result.addFix("env:PATH, what is installed there");
  if (isNewer)
    addUpdate(requirement.more, result);
  result.addFix(byFile);
  return makeError(std::move(result));
}

namespace {

llvm::Error finish(Finding result, CudaVersion line) {
  result.fixes.insert(result.fixes.begin(),
                      {"env:PATH, what is installed there",
                       fmt::format("the CUDA line that it has there, as in cuda=={}", line)});
  return makeError(std::move(result));
}

/// The CUDA line of a run, or the oldest known line that it allows.
CudaVersion lineOf(const tables::FrameworkRun &run) {
  for (CudaVersion line : tables::toolkitLines())
    if (line >= run.from && line <= run.to)
      return line;
  return tables::toolkitLines().back();
}

/// The known releases by CUDA major: `0.4.30 to 0.12.0.1 (CUDA 12)`.
std::string known(llvm::ArrayRef<tables::FrameworkRun> runs) {
  std::string list;
  for (auto it = runs.begin(); it != runs.end();) {
    auto end =
        std::find_if(it, runs.end(), [&](const auto &run) { return run.major != it->major; });
    StringRef last = end[-1].read.empty() ? end[-1].first : end[-1].read.back();
    support::appendItem(list, fmt::format("{}{} (CUDA {})", it->first,
                                          last == it->first ? "" : fmt::format(" to {}", last),
                                          it->major));
    it = end;
  }
  return list;
}

/// The tables have no torch that satisfies the release's specifier, or no CUDA line that it allows.
llvm::Error nothingBehind(const DeclaredRequirement &requirement, const FrameworkRelease &release) {
  const tables::FrameworkRun &run = release.run;
  bool torch = !run.torch.empty();
  std::string needs = torch ? fmt::format("torch{}", run.torch) : fmt::format("CUDA {}", run.from);
  Finding result = findingAbout(
      Code::UnknownRelease,
      fmt::format("what {} needs is in no table", describe(requirement, release)), requirement);
  result.addFact("needs", needs + (torch ? "" : " or newer"));
  addUpdate(requirement.more, result);
  return finish(std::move(result), lineOf(run));
}

} // namespace

/// Nothing may be known about the libraries of a release that is there.
static llvm::Error unknownFramework(const DeclaredRequirement &requirement) {
  auto releases = releasesOf(requirement);
  auto withCuda =
      llvm::find_if(releases, [](const FrameworkRelease &each) { return each.run.requiresCuda; });
  if (withCuda != releases.end())
    return nothingBehind(requirement, *withCuda);
  auto runs = tables::frameworkRuns(requirement.framework, requirement.more);
  if (releases.empty()) {
    Finding result = findingAbout(Code::UnknownRelease,
                                  fmt::format("no known {} release satisfies {}",
                                              requirement.framework.name, requirement.text()),
                                  requirement);
    result.addFact("known", known(runs));
    addUpdate(requirement.more, result);
    return finish(std::move(result), lineOf(runs.back()));
  }
  std::string name = describe(requirement, releases.back());
  Finding result =
      findingAbout(Code::UnknownRelease,
                   fmt::format("which CUDA libraries {} has is unknown", name), requirement);
  result.addFact("because", "its metadata pins no CUDA library");
  return finish(std::move(result), lineOf(releases.back().run));
}

llvm::Error unknownRelease(const DeclaredRequirement &requirement) {
  if (requirement.kind == RequirementKind::Cuda)
    return unknownCuda(requirement);
  if (requirement.kind == RequirementKind::Framework)
    return unknownFramework(requirement);
  if (!tagOf(requirement).empty())
    if (auto release = releaseBehind(requirement))
      return unknownTag(requirement, *release);
  return unknownTorch(requirement);
}

/// The requirement with \p bound as its upper (`<`) or lower (`>=`) bound; its own bounds on that
/// side are dropped.
static std::string bounded(const DeclaredRequirement &requirement, StringRef op, StringRef bound) {
  using Op = Specifier::Op;
  std::string text = requirement.kind == RequirementKind::Framework ? requirement.framework.str()
                     : requirement.kind == RequirementKind::Torch   ? "torch"
                                                                    : "cuda";
  bool upper = op == "<";
  std::string rest;
  for (const Specifier &clause : requirement.specifiers.clauses) {
    bool dropped = upper ? clause.op == Op::Less || clause.op == Op::LessEqual
                         : clause.op == Op::Greater || clause.op == Op::GreaterEqual;
    if (!dropped)
      rest += fmt::format(",{}", clause);
  }
  std::string added = fmt::format("{}{}", op, bound);
  return text + (upper ? (rest.empty() ? "" : rest.substr(1) + ",") + added : added + rest);
}

/// The requirement whose range spans the majors; for torch the one that allows its releases.
static const DeclaredRequirement &rangeOf(llvm::ArrayRef<DeclaredRequirement> requirements,
                                          const RuntimeCandidate &split) {
  for (const DeclaredRequirement &requirement : requirements)
    if (requirement.kind == RequirementKind::Torch)
      return requirement;
  for (const DeclaredRequirement &requirement : requirements)
    if (requirement.kind == (split.isCuda() ? RequirementKind::Cuda : RequirementKind::Framework))
      return requirement;
  return requirements.front();
}

llvm::Error spansMajors(llvm::ArrayRef<DeclaredRequirement> requirements,
                        const CandidateSet &candidates) {
  unsigned major = candidates.front().line.major;
  const RuntimeCandidate &split = *llvm::find_if(
      candidates, [&](const RuntimeCandidate &candidate) { return candidate.line.major != major; });
  const DeclaredRequirement &range = rangeOf(requirements, split);
  Finding result = findingAbout(
      Code::SpansMajors,
      fmt::format("{} spans CUDA {} and {}", range.text(), major, split.line.major), requirements);
  std::string first = split.describe();
  if (!split.isCuda())
    first += fmt::format(" (CUDA {})", split.line);
  result.addFact("splits at", first);
  std::string bound = split.torch ? split.torch->str() : split.number();
  // The framework does not limit torch enough: torch has to be declared too.
  if (split.torch && range.kind == RequirementKind::Framework)
    result.fixes = {"declare torch too: torch<" + bound, "declare torch too: torch>=" + bound};
  else
    result.fixes = {bounded(range, "<", bound), bounded(range, ">=", bound)};
  if (!split.torch || range.kind == RequirementKind::Torch)
    result.addFix(fmt::format("a build for each CUDA: cuda-cc matrix --runtime '{}' --runtime '{}'",
                              result.fixes[0], result.fixes[1]));
  return makeError(std::move(result));
}

llvm::Error contradiction(llvm::ArrayRef<DeclaredRequirement> requirements) {
  Finding result = makeFinding(Code::Constraint, "the declared requirements exclude one another");
  result.origin = requirements.front().setting->origin.str();
  llvm::SmallVector<DeclaredRequirement, 2> cuda;
  for (const DeclaredRequirement &requirement : requirements) {
    std::string text = requirement.describe();
    CandidateSet alone = candidatesOf(requirement);
    if (requirement.kind == RequirementKind::Cuda)
      cuda.push_back(requirement);
    else if (alone.front().line != alone.front().newest)
      text += fmt::format(", which is CUDA {} or newer", alone.front().line);
    else if (alone.front().line == alone.back().line)
      text += fmt::format(", which is CUDA {}", alone.front().line);
    else
      text += fmt::format(", which is CUDA {} to {}", alone.front().line, alone.back().line);
    result.addFact("requires", text);
  }
  // Another build of the same release may be for the requested line.
  CandidateSet lines = cuda.empty() ? CandidateSet{} : candidatesOf(cuda);
  for (const DeclaredRequirement &requirement : requirements) {
    if (requirement.kind != RequirementKind::Torch || !tagOf(requirement).empty() || lines.empty())
      continue;
    CandidateSet releases = candidatesOf(requirement);
    for (const tables::TorchLine &line : tables::torchLines(*releases.back().torch))
      if (llvm::any_of(lines, [&](const RuntimeCandidate &candidate) {
            return candidate.line == line.cuda;
          }))
        result.addFix(fmt::format("torch=={}+{}", *releases.back().torch, line.tag));
    if (std::string torch = firstTorchWith(lines.front().line); !torch.empty())
      result.addFix(torch);
  }
  result.addFix("leave one of them out");
  return makeError(std::move(result));
}

llvm::Error doNotFit(llvm::ArrayRef<DeclaredRequirement> requirements, std::string reason) {
  Finding result =
      findingAbout(Code::Constraint, "the declared frameworks cannot be installed together",
                   requirements, "requires");
  result.addFact("because", std::move(reason));
  result.fixes = {"declare releases that fit together", "leave one of them out"};
  return makeError(std::move(result));
}

} // namespace cudacc::resolve
