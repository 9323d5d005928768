// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Pins.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;

std::string ExactPin::text() const { return fmt::format("{}=={}", name, version); }

/// Ascending; empty for what is neither torch nor a wheel of NVIDIA's.
static std::vector<Version> knownVersions(llvm::StringRef name, const tables::UserTables *more) {
  if (name != "torch")
    return tables::versionsOf(name);
  std::vector<Version> versions;
  for (const tables::TorchRelease &release : tables::torchReleases(more))
    versions.push_back(*Version::parse(release.str()));
  return versions;
}

std::vector<Requirement> cudaRequirements(llvm::ArrayRef<Requirement> requirements,
                                          const tables::UserTables *more) {
  std::vector<Requirement> result;
  for (const Requirement &requirement : requirements)
    if (requirement.url.empty() && !requirement.marker &&
        !knownVersions(requirement.name, more).empty())
      result.push_back(requirement);
  return result;
}

LowestPins lowestPins(llvm::ArrayRef<Requirement> requirements, const tables::UserTables *more) {
  LowestPins result;
  std::vector<Requirement> all = cudaRequirements(requirements, more);
  std::set<std::string> seen;
  for (const Requirement &requirement : all) {
    if (!seen.insert(requirement.name).second)
      continue;
    std::vector<Version> versions = knownVersions(requirement.name, more);
    auto lowest = llvm::find_if(versions, [&](const Version &version) {
      return llvm::all_of(all, [&](const Requirement &each) {
        return each.name != requirement.name || each.specifiers.contains(version);
      });
    });
    if (lowest != versions.end()) {
      result.pins.push_back({requirement.name, *lowest});
      continue;
    }
    Finding finding = makeFinding(
        Code::NoVersionAllowed,
        fmt::format("no known version of {} is allowed by the metadata", requirement.name));
    finding.addFact("metadata", fmt::format("Requires-Dist: {}", requirement.text));
    finding.addFact("known", fmt::format("{} to {}", versions.front(), versions.back()));
    result.findings.push_back(std::move(finding));
  }
  return result;
}

} // namespace cudacc::policy
