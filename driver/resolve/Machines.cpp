// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/Machines.h"
#include "driver/core/Diagnostic.h"
#include "driver/resolve/ResolveErrors.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Device.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

static llvm::Error unknownGpu(const DeclaredRequirement &requirement, std::string message,
                              std::string fix) {
  Finding finding = findingAbout(Code::UnknownRelease, std::move(message), requirement);
  finding.addFix(std::move(fix));
  addUpdate(requirement.more, finding);
  return makeError(std::move(finding));
}

static llvm::Error addGpus(const DeclaredRequirement &requirement, Target &target) {
  if (requirement.andNewer) {
    Arch least = requirement.archs.front();
    auto found = tables::archsFrom(least, target.line);
    if (found.empty())
      return unknownGpu(requirement,
                        fmt::format("CUDA {} knows no GPU from {} up", target.line, least),
                        "list them, to be covered by PTX: " + least.str("sm="));
    llvm::append_range(target.gpus, found);
  } else {
    auto known = tables::knownArchs();
    for (Arch arch : requirement.archs) {
      if (!llvm::is_contained(known, arch)) {
        std::string near;
        for (Arch each : known)
          if (!each.suffix && each.major() == arch.major())
            near += (near.empty() ? "sm=" : ",") + each.str("");
        return unknownGpu(requirement, fmt::format("no known GPU architecture is {}", arch),
                          near.empty() ? "sm>=80" : near);
      }
      target.gpus.push_back(arch);
    }
  }
  support::appendItem(target.gpuOrigin, requirement.describe(), " and ");
  return llvm::Error::success();
}

static void addDriver(const DeclaredRequirement &requirement, Target &target) {
  auto version = Version::parse(requirement.driver), before = Version::parse(target.driver);
  if (!version || (before && *before >= *version))
    return;
  target.driver = requirement.driver;
  auto cuda = tables::cudaOfDriver(*version);
  target.driverCuda = cuda ? cuda->cuda : CudaVersion{};
}

llvm::Error addMachines(llvm::ArrayRef<DeclaredRequirement> requirements, Target &target) {
  for (const DeclaredRequirement &requirement : requirements) {
    if (requirement.kind == RequirementKind::Driver)
      addDriver(requirement, target);
    if (requirement.kind == RequirementKind::Gpus)
      if (llvm::Error error = addGpus(requirement, target))
        return error;
  }
  llvm::sort(target.gpus);
  target.gpus.erase(llvm::unique(target.gpus), target.gpus.end());
  return llvm::Error::success();
}

} // namespace cudacc::resolve
