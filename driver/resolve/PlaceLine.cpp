// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/PlaceLine.h"
#include "driver/resolve/Candidates.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

static std::vector<PlaceLine> linesOf(llvm::ArrayRef<PlacePart> parts, const PlacePart &torch,
                                      const tables::UserTables *more) {
  std::vector<PlaceLine> found;
  auto of = [&](unsigned major) {
    return llvm::find_if(found, [&](const PlaceLine &each) { return each.line.major == major; });
  };
  for (const PlacePart &part : parts)
    if (part.isRuntime && part.line.known() && of(part.line.major) == found.end() &&
        (!torch.line.known() || torch.line.major == part.line.major))
      found.push_back(
          {part.line, tables::releasesOf(part.dist, part.version, more), part.evidence});
  if (found.empty() && torch.line.known())
    found.push_back({torch.line, {}, torch.evidence});
  if (!found.empty())
    return found;
  for (const PlacePart &part : parts) {
    if (!part.line.known())
      continue;
    auto same = of(part.line.major);
    if (same == found.end())
      found.push_back({part.line, {}, part.evidence});
    else if (part.line < same->line)
      *same = {part.line, {}, part.evidence};
  }
  return found;
}

std::vector<PlaceLine> placeLines(llvm::ArrayRef<PlacePart> parts, const PlacePart &torch,
                                  const tables::UserTables *more) {
  std::vector<PlaceLine> found = linesOf(parts, torch, more);
  for (PlaceLine &line : found)
    for (const PlacePart &part : parts)
      if (part.line.major == line.line.major && !part.dist.empty() &&
          !llvm::is_contained(line.dists, part.dist))
        line.dists.push_back(part.dist.str());
  return found;
}

/// Whether the line satisfies every `cuda` requirement. A component may belong to several toolkit
/// releases: if a release is required, one of them has to match.
static bool satisfies(llvm::ArrayRef<DeclaredRequirement> requirements, const PlaceLine &place) {
  auto within = [](const DeclaredRequirement &requirement, std::vector<uint64_t> numbers) {
    Version version;
    version.release = std::move(numbers);
    return requirement.specifiers.contains(version);
  };
  return llvm::all_of(requirements, [&](const DeclaredRequirement &requirement) {
    if (requirement.kind != RequirementKind::Cuda)
      return true;
    if (!namesRelease(requirement))
      return within(requirement, {place.line.major, place.line.minor});
    return llvm::any_of(place.releases, [&](const tables::ToolkitRelease &release) {
      return within(requirement, {release.major, release.minor, release.patch});
    });
  });
}

llvm::Expected<PlaceLine> choose(llvm::ArrayRef<DeclaredRequirement> requirements,
                                 const DeclaredRequirement &place,
                                 llvm::ArrayRef<PlaceLine> found) {
  std::vector<PlaceLine> good;
  llvm::copy_if(found, std::back_inserter(good),
                [&](const PlaceLine &each) { return satisfies(requirements, each); });
  if (good.size() == 1)
    return good.front();
  std::vector<Fact> has;
  for (const PlaceLine &each : good.empty() ? found : llvm::ArrayRef(good))
    has.push_back({"has", fmt::format("CUDA {}: {}", each.line, each.evidence)});
  if (!good.empty())
    return severalMajors(place, std::move(has), good);
  return differs(requirements, fmt::format("CUDA {}", found.front().line), std::move(has));
}

llvm::Error checkReleases(
    llvm::ArrayRef<DeclaredRequirement> requirements,
    llvm::function_ref<llvm::Expected<PlaceRelease>(const DeclaredRequirement &)> releaseOf) {
  for (RequirementKind kind : {RequirementKind::Torch, RequirementKind::Framework})
    for (const DeclaredRequirement &requirement : requirements) {
      if (requirement.kind != kind)
        continue;
      auto has = releaseOf(requirement);
      if (!has)
        return has.takeError();
      if (!has->version || !requirement.specifiers.contains(*has->version, /*pre=*/true))
        return differs(requirements, has->shown, {{"has", has->where}});
    }
  return llvm::Error::success();
}

void setTorch(Target &target, std::optional<Version> torch) {
  if (!torch)
    return;
  target.torch = torch->str();
  torch->local.clear();
  target.torchReleases = {torch->str()};
}

void setLine(Target &target, const PlaceLine &line) {
  target.line = line.line;
  if (line.releases.size() == 1)
    target.release = line.releases.front().str();
  target.driverFloor = tables::driverFloor(target.line.major).str();
}

} // namespace cudacc::resolve
