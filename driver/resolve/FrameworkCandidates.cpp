// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

static Version versionOf(StringRef text) { return Version::parse(text).value_or(Version{}); }

/// The version that the requirement names exactly; std::nullopt if it names none.
static std::optional<Version> exactly(const DeclaredRequirement &requirement) {
  for (const Specifier &clause : requirement.specifiers.clauses)
    if (clause.op == Specifier::Op::Equal && !clause.prefix &&
        requirement.specifiers.contains(clause.version))
      return clause.version;
  return std::nullopt;
}

static StringRef lastOf(const tables::FrameworkRun &run) {
  return run.read.empty() ? run.first : run.read.back();
}

/// A release that was not read is treated like the one before it, up to the newest that was read.
/// Empty if the releases before and after are of different CUDA majors.
static std::vector<FrameworkRelease> between(llvm::ArrayRef<tables::FrameworkRun> runs,
                                             const Version &version) {
  std::vector<FrameworkRelease> found;
  if (runs.empty() || version < versionOf(runs.front().first) ||
      version > versionOf(lastOf(runs.back())))
    return found;
  const tables::FrameworkRun *next = llvm::find_if(
      runs, [&](const tables::FrameworkRun &run) { return versionOf(run.first) > version; });
  Version first = versionOf(next[-1].first);
  for (const tables::FrameworkRun &run : llvm::ArrayRef(runs.begin(), next))
    if (versionOf(run.first) == first)
      found.push_back({run, version.str(), true});
  bool inside = version < versionOf(lastOf(next[-1]));
  bool same = next != runs.end() && next->major == next[-1].major;
  return inside || same ? found : std::vector<FrameworkRelease>{};
}

std::vector<FrameworkRelease> releasesOf(const DeclaredRequirement &requirement) {
  std::vector<FrameworkRelease> found;
  auto runs = tables::frameworkRuns(requirement.framework, requirement.more);
  for (const tables::FrameworkRun &run : runs) {
    for (StringRef text : run.read)
      if (requirement.specifiers.contains(versionOf(text)))
        found.push_back({run, text.str(), false});
    if (run.read.empty() && requirement.specifiers.contains(versionOf(run.first)))
      found.push_back({run, run.first.str(), false});
  }
  if (auto version = exactly(requirement); found.empty() && version)
    return between(runs, *version);
  return found;
}

bool isThroughTorch(const DeclaredRequirement &requirement) {
  return requirement.kind == RequirementKind::Framework &&
         llvm::any_of(tables::frameworkRuns(requirement.framework, requirement.more),
                      [](const tables::FrameworkRun &run) { return !run.torch.empty(); });
}

std::string describe(const DeclaredRequirement &requirement, const FrameworkRelease &release) {
  return fmt::format("{} {}", requirement.framework.name, release.text);
}

std::optional<FrameworkRelease> requirerOf(llvm::ArrayRef<FrameworkRelease> releases,
                                           const Version &torch) {
  for (const FrameworkRelease &release : releases)
    if (auto set = SpecifierSet::parse(release.run.torch);
        release.run.requiresCuda && set && set->contains(torch))
      return release;
  return std::nullopt;
}

static RuntimeCandidate worldOf(const DeclaredRequirement &requirement,
                                const FrameworkRelease &release) {
  const tables::FrameworkRun &run = release.run;
  RuntimeCandidate candidate;
  candidate.line = run.from;
  candidate.newest = run.to;
  if (run.kind == tables::FrameworkPins::Exact)
    candidate.toolkit = run.toolkit;
  candidate.framework = describe(requirement, release);
  candidate.release = release.text;
  candidate.toolkitFloats = run.toolkitFloats;
  auto pins = tables::frameworkPins(run);
  candidate.pins.append(pins.begin(), pins.end());
  candidate.extrapolated = release.extrapolated;
  if (release.extrapolated)
    for (tables::Pin &pin : candidate.pins)
      pin.confidence = std::max(pin.confidence, tables::Confidence::Secondary);
  return candidate;
}

static bool allows(const DeclaredRequirement &requirement, const FrameworkRelease &release) {
  return requirement.kind != RequirementKind::Framework ||
         ((!requirement.framework.major || requirement.framework.major == release.run.major) &&
          requirement.specifiers.contains(versionOf(release.text)));
}

CandidateSet frameworkCandidates(llvm::ArrayRef<DeclaredRequirement> requirements) {
  CandidateSet candidates;
  for (const DeclaredRequirement &requirement : requirements) {
    if (requirement.kind != RequirementKind::Framework)
      continue;
    for (const FrameworkRelease &release : releasesOf(requirement)) {
      bool wanted = llvm::all_of(
          requirements, [&](const DeclaredRequirement &other) { return allows(other, release); });
      if (wanted && release.run.requiresCuda)
        candidates.push_back(worldOf(requirement, release));
    }
    if (!candidates.empty())
      break;
  }
  return candidates;
}

} // namespace cudacc::resolve
