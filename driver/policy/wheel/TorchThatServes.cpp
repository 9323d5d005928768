// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Requirements.h"
#include "driver/resolve/Resolve.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::TorchRelease;

static Exported brings(const Target &target, const LibraryFloor &floor) {
  const TargetLibrary *library = target.find(floor.soname);
  if (!library || library->dist != floor.dist)
    return Exported::No;
  auto requirement = Requirement::parse(floor.requirement);
  if (library->version.release.empty() || !requirement)
    return Exported::Unknown;
  return requirement->specifiers.contains(library->version, /*pre=*/true) ? Exported::Yes
                                                                          : Exported::No;
}

/// Whether PyPI's wheels for the release bring all of the libraries.
static Exported serves(const TorchRelease &release, llvm::ArrayRef<LibraryFloor> floors,
                       const tables::UserTables *more) {
  if (floors.empty())
    return Exported::Yes;
  Declaration declaration;
  declaration.runtime.push_back({fmt::format("torch=={}", release.str()), Origin()});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, more));
  if (!target)
    return Exported::Unknown;
  Exported all = Exported::Yes;
  for (const LibraryFloor &floor : floors) {
    Exported one = brings(*target, floor);
    if (one == Exported::No)
      return one;
    if (one == Exported::Unknown)
      all = one;
  }
  return all;
}

TorchRange torchThatServes(llvm::ArrayRef<LibraryFloor> floors, const TorchRange &byNames,
                           const tables::UserTables *more) {
  std::vector<LibraryFloor> ofTorch;
  for (const LibraryFloor &floor : floors)
    if (tables::isRequiredByTorch(floor.dist))
      ofTorch.push_back(floor);
  TorchRange range;
  range.imports = 1;
  // A release to come may bring another major of CUDA.
  range.isStable = ofTorch.empty() && byNames.isStable;
  for (const TorchRelease &release : tables::torchReleases(more)) {
    std::string name = release.str();
    auto named = llvm::find_if(
        byNames.releases, [&](const TorchRange::Release &each) { return each.release == name; });
    Exported has = named == byNames.releases.end() ? Exported::Unknown : named->has;
    if (!byNames.known())
      has = Exported::Yes;
    if (has == Exported::Yes)
      has = serves(release, ofTorch, more);
    range.releases.push_back({std::move(name), has});
  }
  return range;
}

} // namespace cudacc::policy
