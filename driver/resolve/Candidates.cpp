// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/Candidates.h"
#include "driver/resolve/FrameworkCandidates.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

std::string RuntimeCandidate::describe() const {
  if (torch)
    return fmt::format("torch {}{}", number(),
                       framework.empty() ? "" : fmt::format(", which {} requires", framework));
  return framework.empty() ? "CUDA " + number() : framework;
}

std::string RuntimeCandidate::number() const {
  if (torch)
    return tagged ? fmt::format("{}+{}", *torch, build.tag) : torch->str();
  return !framework.empty() ? release : toolkit ? toolkit->str() : line.str();
}

bool namesRelease(const DeclaredRequirement &requirement) {
  return requirement.kind == RequirementKind::Cuda &&
         llvm::any_of(requirement.specifiers.clauses,
                      [](const auto &clause) { return clause.version.release.size() > 2; });
}

const tables::UserTables *moreOf(llvm::ArrayRef<DeclaredRequirement> requirements) {
  return requirements.empty() ? nullptr : requirements.front().more;
}

StringRef tagOf(const DeclaredRequirement &requirement) {
  if (requirement.kind == RequirementKind::Torch)
    for (const Specifier &clause : requirement.specifiers.clauses)
      if (clause.op != Specifier::Op::NotEqual && !clause.version.local.empty())
        return clause.version.local.front();
  return {};
}

static Version versionOf(const tables::ToolkitRelease &release) {
  Version version;
  version.release = {release.major, release.minor, release.patch};
  return version;
}

static Version versionOf(CudaVersion line) {
  Version version;
  version.release = {line.major, line.minor};
  return version;
}

static bool satisfies(const RuntimeCandidate &candidate, const DeclaredRequirement &requirement) {
  return requirement.kind != RequirementKind::Cuda ||
         requirement.specifiers.contains(candidate.toolkit && namesRelease(requirement)
                                             ? versionOf(*candidate.toolkit)
                                             : versionOf(candidate.line));
}

namespace {

/// A declared framework that requires torch.
struct Requirer {
  const DeclaredRequirement *requirement = nullptr;
  std::vector<FrameworkRelease> releases;
};

} // namespace

/// Returns false if no release of the framework allows this torch.
static bool require(RuntimeCandidate &candidate, const Requirer &requirer, const Version &version,
                    bool named) {
  auto release = requirerOf(requirer.releases, version);
  if (!release)
    return false;
  if (!named)
    candidate.framework = describe(*requirer.requirement, *release);
  if (release->extrapolated && !named)
    for (tables::Pin &pin : candidate.pins)
      pin.confidence = std::max(pin.confidence, tables::Confidence::Secondary);
  return true;
}

static CandidateSet torchCandidates(llvm::ArrayRef<DeclaredRequirement> requirements) {
  StringRef tag;
  bool named = false;
  llvm::SmallVector<Requirer, 0> requirers;
  for (const DeclaredRequirement &requirement : requirements) {
    if (StringRef wanted = tagOf(requirement); !wanted.empty())
      tag = wanted;
    named |= requirement.kind == RequirementKind::Torch;
    if (requirement.kind == RequirementKind::Framework)
      requirers.push_back({&requirement, releasesOf(requirement)});
  }
  CandidateSet candidates;
  Version version;
  if (!tag.empty())
    version.local.push_back(tag.str());
  for (const tables::TorchRelease &release : tables::torchReleases(moreOf(requirements))) {
    version.release = {release.major, release.minor, release.patch};
    if (llvm::any_of(requirements, [&](const DeclaredRequirement &requirement) {
          return requirement.kind == RequirementKind::Torch &&
                 !requirement.specifiers.contains(version);
        }))
      continue;
    RuntimeCandidate candidate;
    candidate.torch = release;
    candidate.tagged = !tag.empty();
    auto lines = tables::torchLines(release);
    auto line = llvm::find_if(lines, [&](const tables::TorchLine &each) {
      return tag.empty() ? each.isDefault : each.tag == tag;
    });
    if (line == lines.end())
      continue;
    candidate.build = *line;
    candidate.line = candidate.newest = line->cuda;
    candidate.toolkit = line->toolkit;
    auto pins = tables::torchPins(*line);
    candidate.pins.append(pins.begin(), pins.end());
    if (llvm::all_of(requirers, [&](const Requirer &requirer) {
          return require(candidate, requirer, version, named);
        }))
      candidates.push_back(std::move(candidate));
  }
  return candidates;
}

static CandidateSet cudaCandidates(llvm::ArrayRef<DeclaredRequirement> requirements) {
  CandidateSet candidates;
  if (llvm::any_of(requirements, namesRelease)) {
    for (const tables::ToolkitRelease &release : tables::toolkitReleases(moreOf(requirements))) {
      RuntimeCandidate &candidate = candidates.emplace_back();
      candidate.line = candidate.newest = release.line();
      candidate.toolkit = release;
    }
    return candidates;
  }
  auto lines = tables::toolkitLines(moreOf(requirements));
  candidates.reserve(lines.size());
  for (CudaVersion line : lines) {
    RuntimeCandidate &candidate = candidates.emplace_back();
    candidate.line = candidate.newest = line;
  }
  return candidates;
}

/// Sets the line and release that CUDA was declared as, and raises floating pins to the versions of
/// that release. Returns false if the framework does not allow that.
static bool raise(RuntimeCandidate &candidate, const RuntimeCandidate &chosen) {
  auto floor = chosen.toolkit ? chosen.toolkit : tables::firstRelease(chosen.line, chosen.more);
  bool allowed = true;
  llvm::erase_if(candidate.pins, [&](const tables::Pin &pin) {
    auto has = Version::parse(tables::componentVersion(*floor, pin.dist));
    auto least = Version::parse(pin.floor);
    if (!pin.floats || !has || (least && *has < *least))
      return false;
    auto set = SpecifierSet::parse(pin.spec);
    allowed &= !set || set->contains(*has);
    return true;
  });
  candidate.line = candidate.newest = chosen.line;
  candidate.toolkit = chosen.toolkit;
  candidate.toolkitFloats = false;
  return allowed;
}

/// Chooses the oldest known line that the framework allows and that satisfies every requirement.
/// Returns false if there is none.
static bool chooseLine(RuntimeCandidate &candidate,
                       llvm::ArrayRef<DeclaredRequirement> requirements,
                       const CandidateSet &lines) {
  if (candidate.line == candidate.newest)
    return llvm::all_of(requirements, [&](const DeclaredRequirement &requirement) {
      return satisfies(candidate, requirement);
    });
  if (llvm::none_of(requirements, [](const DeclaredRequirement &requirement) {
        return requirement.kind == RequirementKind::Cuda;
      }))
    return tables::firstRelease(candidate.line, moreOf(requirements)).has_value();
  for (const RuntimeCandidate &each : lines)
    if (each.line >= candidate.line && each.line <= candidate.newest &&
        llvm::all_of(requirements, [&](const DeclaredRequirement &requirement) {
          return satisfies(each, requirement);
        }))
      return raise(candidate, each);
  return false;
}

CandidateSet candidatesOf(llvm::ArrayRef<DeclaredRequirement> requirements) {
  bool torch = false, framework = false;
  for (const DeclaredRequirement &requirement : requirements) {
    torch |= requirement.kind == RequirementKind::Torch || isThroughTorch(requirement);
    framework |= requirement.kind == RequirementKind::Framework;
  }
  CandidateSet candidates = torch       ? torchCandidates(requirements)
                            : framework ? frameworkCandidates(requirements)
                                        : cudaCandidates(requirements);
  CandidateSet lines = framework && !torch ? cudaCandidates(requirements) : CandidateSet{};
  for (CandidateSet *each : {&candidates, &lines})
    for (RuntimeCandidate &candidate : *each)
      candidate.more = moreOf(requirements);
  llvm::erase_if(candidates, [&](RuntimeCandidate &candidate) {
    return !chooseLine(candidate, requirements, lines);
  });
  return candidates;
}

} // namespace cudacc::resolve
