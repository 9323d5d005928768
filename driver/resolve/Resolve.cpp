// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/Resolve.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/JointResolver.h"
#include "driver/resolve/Machines.h"
#include "driver/resolve/MinimumVersions.h"
#include "driver/resolve/ResolveErrors.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

namespace {

/// The oldest toolkit release of the candidates; empty if that of one candidate is not known.
std::string releaseOf(const CandidateSet &candidates) {
  const tables::ToolkitRelease *oldest = nullptr;
  for (const RuntimeCandidate &candidate : candidates) {
    if (!candidate.toolkit)
      return {};
    if (!oldest || candidate.toolkit->number() < oldest->number())
      oldest = &*candidate.toolkit;
    if (candidate.isCuda())
      break;
  }
  return oldest->str();
}

/// The release or range of torch, as declared or as another framework requires it. Empty if there
/// is none.
std::string torchOf(llvm::ArrayRef<DeclaredRequirement> requirements,
                    const CandidateSet &candidates) {
  if (!candidates.front().torch)
    return {};
  if (candidates.size() == 1)
    return candidates.front().number();
  for (const DeclaredRequirement &requirement : requirements)
    if (requirement.kind == RequirementKind::Torch)
      return llvm::StringRef(requirement.setting->value).trim().drop_front(5).trim().str();
  return fmt::format(">={},<={}", candidates.front().number(), candidates.back().number());
}

/// The releases of torch among the candidates, ascending.
std::vector<std::string> torchReleasesOf(const CandidateSet &candidates) {
  std::vector<std::string> releases;
  for (const RuntimeCandidate &candidate : candidates)
    if (candidate.torch && !llvm::is_contained(releases, candidate.torch->str()))
      releases.push_back(candidate.torch->str());
  return releases;
}

/// The candidates of each declared framework that are compatible with the others.
llvm::Expected<std::vector<ConstraintGroup>>
candidatesOfGroups(llvm::ArrayRef<DeclaredRequirement> requirements) {
  std::vector<ConstraintGroup> groups = constraintGroupsOf(requirements);
  for (ConstraintGroup &group : groups) {
    group.candidates = candidatesOf(group.requirements);
    if (!group.candidates.empty())
      continue;
    for (const DeclaredRequirement &requirement : group.requirements)
      if (candidatesOf(requirement).empty())
        return unknownRelease(requirement);
    return contradiction(group.requirements);
  }
  if (groups.size() > 1)
    if (auto reason = agree(groups))
      return doNotFit(requirements, std::move(*reason));
  for (const ConstraintGroup &group : groups) {
    unsigned major = group.candidates.front().line.major;
    if (llvm::any_of(group.candidates,
                     [&](const RuntimeCandidate &each) { return each.line.major != major; }))
      return spansMajors(group.requirements, group.candidates);
  }
  return groups;
}

llvm::Error resolveTables(llvm::ArrayRef<DeclaredRequirement> requirements, Target &target) {
  auto groups = candidatesOfGroups(requirements);
  if (!groups)
    return groups.takeError();
  bool named = llvm::any_of(requirements, namesRelease);
  std::vector<MinimumVersion> minimum;
  for (const ConstraintGroup &group : *groups) {
    CudaVersion line = llvm::min_element(group.candidates, [](const RuntimeCandidate &a,
                                                              const RuntimeCandidate &b) {
                         return a.line < b.line;
                       })->line;
    if (!target.line.known() || line < target.line)
      target.line = line;
    if (target.release.empty())
      target.release = releaseOf(group.candidates);
    if (target.torch.empty()) {
      target.torch = torchOf(group.requirements, group.candidates);
      target.torchReleases = torchReleasesOf(group.candidates);
    }
    auto own = minimumVersionsOf(group.candidates, named);
    minimum = minimum.empty() ? std::move(own) : jointVersions(std::move(minimum), std::move(own));
  }
  target.driverFloor = tables::driverFloor(target.line.major).str();
  target.libraries = rowsOf(minimum, named);
  return llvm::Error::success();
}

/// The environment as a requirement that is valid on other machines: its torch if the tables know
/// that build, else its line.
std::string portable(const Target &target, const tables::UserTables *more) {
  auto version = Version::parse(target.torch);
  if (!version)
    return fmt::format("cuda=={}", target.line);
  DeclaredRequirement requirement;
  Specifier clause;
  clause.version = *version;
  requirement.kind = RequirementKind::Torch;
  requirement.more = more;
  requirement.specifiers.clauses.push_back(clause);
  CandidateSet candidates = candidatesOf(requirement);
  if (candidates.size() != 1 || candidates.front().line != target.line)
    return fmt::format("cuda=={}", target.line);
  return "torch==" +
         (candidates.front().build.isDefault ? candidates.front().torch->str() : target.torch);
}

llvm::Error declaredBy(const DeclaredRequirement &place, llvm::Error error) {
  Finding finding = toFinding(std::move(error));
  finding.origin = place.setting->origin.str();
  finding.facts.insert(finding.facts.begin(), {"declared", place.describe()});
  return makeError(std::move(finding));
}

/// Whether a place without CUDA can be ignored: a `cuda` requirement declares the runtime, and no
/// framework is declared.
bool onlyCudaBeside(llvm::ArrayRef<DeclaredRequirement> requirements) {
  bool cuda = llvm::any_of(requirements, [](const DeclaredRequirement &requirement) {
    return requirement.kind == RequirementKind::Cuda;
  });
  return cuda && llvm::none_of(requirements, [](const DeclaredRequirement &requirement) {
           return requirement.isFramework();
         });
}

template <typename Reader>
llvm::Error resolveWith(Reader read, llvm::ArrayRef<DeclaredRequirement> requirements,
                        const DeclaredRequirement &place, Target &target) {
  auto found = read(place.path);
  if (!found)
    return declaredBy(place, found.takeError());
  if (hasCuda(*found) || !onlyCudaBeside(requirements))
    return resolvePlace(requirements, place, *found, target);
  return resolveTables(
      llvm::to_vector<2>(llvm::make_filter_range(
          requirements,
          [](const DeclaredRequirement &requirement) { return !requirement.isPlace(); })),
      target);
}

} // namespace

static llvm::Expected<llvm::SmallVector<DeclaredRequirement, 2>>
parseAll(const Declaration &declaration, const tables::UserTables *more) {
  llvm::SmallVector<DeclaredRequirement, 2> requirements;
  for (const Setting<std::string> &setting : declaration.runtime) {
    auto requirement = parseRequirement(setting);
    if (!requirement)
      return requirement.takeError();
    requirement->more = more;
    requirements.push_back(std::move(*requirement));
  }
  return requirements;
}

llvm::Expected<std::optional<Target>> resolveMachines(const Declaration &declaration) {
  auto requirements = parseAll(declaration, nullptr);
  if (!requirements)
    return requirements.takeError();
  if (requirements->empty() ||
      llvm::any_of(*requirements, [](const DeclaredRequirement &each) { return each.isRuntime(); }))
    return std::nullopt;
  Target target;
  target.enforce = declaration.enforce.value;
  target.declaredAs = declaration.runtime;
  if (llvm::Error error = addMachines(*requirements, target))
    return error;
  return target;
}

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read,
                               LockReader readLock, const tables::UserTables *more) {
  Target target;
  target.enforce = declaration.enforce.value;
  if (!declaration.declared())
    return target;
  auto parsed = parseAll(declaration, more);
  if (!parsed)
    return parsed.takeError();
  llvm::SmallVector<DeclaredRequirement, 2> &requirements = *parsed;
  auto runtimes = llvm::to_vector<2>(
      llvm::make_filter_range(requirements, [](const DeclaredRequirement &requirement) {
        return requirement.isRuntime();
      }));
  if (runtimes.empty())
    return onlyMachines(requirements);
  target.declared = true;
  target.declaredAs = declaration.runtime;
  const DeclaredRequirement *place = llvm::find_if(
      runtimes, [](const DeclaredRequirement &requirement) { return requirement.isPlace(); });
  for (const DeclaredRequirement &requirement : runtimes)
    if (requirement.isPlace() &&
        (requirement.kind != place->kind || requirement.path != place->path))
      return severalEnvironments(runtimes);
  llvm::Error error = place == runtimes.end() ? resolveTables(runtimes, target)
                      : place->kind == RequirementKind::Lock
                          ? resolveWith(readLock, runtimes, *place, target)
                          : resolveWith(read, runtimes, *place, target);
  if (error)
    return error;
  if (llvm::Error machines = addMachines(requirements, target))
    return machines;
  for (const DeclaredRequirement &requirement : requirements)
    target.portableAs.push_back(requirement.isPlace() ? portable(target, more)
                                                      : requirement.text());
  return target;
}

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read,
                               const tables::UserTables *more) {
  return resolve(
      declaration, read,
      [](llvm::StringRef) -> llvm::Expected<LockReading> {
        return makeError(Code::BadRequirement, "a lock cannot be read here");
      },
      more);
}

llvm::Expected<Target> resolve(const Declaration &declaration, const tables::UserTables *more) {
  return resolve(
      declaration,
      [](llvm::StringRef) -> llvm::Expected<PythonEnvironment> {
        return makeError(Code::BadRequirement, "an environment cannot be read here");
      },
      more);
}

} // namespace cudacc::resolve
