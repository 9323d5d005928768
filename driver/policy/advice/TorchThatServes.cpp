// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/TorchThatServes.h"
#include "driver/resolve/Resolve.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::TorchRelease;

static bool brings(const Target &target, const LibraryFloor &floor) {
  const TargetLibrary *library = target.find(floor.soname);
  auto requirement = Requirement::parse(floor.requirement);
  return library && library->dist == floor.dist && requirement &&
         requirement->specifiers.contains(library->version, /*pre=*/true);
}

static bool hasBuild(const TorchRelease &release, StringRef tag) {
  return tag.empty() ||
         llvm::any_of(tables::torchLines(release),
                      [&](const tables::TorchLine &line) { return line.tag == tag; });
}

bool isKnownTag(StringRef tag, const tables::UserTables *more) {
  return llvm::any_of(tables::torchReleases(more),
                      [&](const TorchRelease &release) { return hasBuild(release, tag); });
}

/// Whether the build brings all of the libraries: that of PyPI without a \p tag.
static Exported serves(const TorchRelease &release, StringRef tag,
                       llvm::ArrayRef<LibraryFloor> floors, const tables::UserTables *more) {
  if (!hasBuild(release, tag))
    return Exported::No;
  if (floors.empty())
    return Exported::Yes;
  Declaration declaration;
  std::string build = fmt::format("torch=={}{}{}", release.str(), tag.empty() ? "" : "+", tag);
  declaration.runtime.push_back({std::move(build), Origin()});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, more));
  if (!target)
    return Exported::Unknown;
  bool bringsAll =
      llvm::all_of(floors, [&](const LibraryFloor &floor) { return brings(*target, floor); });
  return bringsAll ? Exported::Yes : Exported::No;
}

static std::vector<LibraryFloor> ofTorch(llvm::ArrayRef<LibraryFloor> floors) {
  std::vector<LibraryFloor> found;
  llvm::copy_if(floors, std::back_inserter(found),
                [](const LibraryFloor &floor) { return tables::isRequiredByTorch(floor.dist); });
  return found;
}

TorchRange torchThatServes(llvm::ArrayRef<LibraryFloor> floors, const TorchRange &byNames,
                           StringRef tag, const tables::UserTables *more) {
  std::vector<LibraryFloor> brought = ofTorch(floors);
  TorchRange range;
  range.imports = 1;
  // A release to come may bring another major of CUDA, or have no such build.
  range.isStable = brought.empty() && tag.empty() && byNames.isStable;
  // Older and newer ones than were read are no part of any range.
  auto isBeyond = [&](const TorchRelease &release) {
    auto version = Version::parse(release.str());
    return byNames.known() && (*version < *Version::parse(byNames.releases.front().release) ||
                               *version > *Version::parse(byNames.releases.back().release));
  };
  for (const TorchRelease &release : tables::torchReleases(more)) {
    if (isBeyond(release))
      continue;
    std::string name = release.str();
    auto named = llvm::find_if(
        byNames.releases, [&](const TorchRange::Release &each) { return each.release == name; });
    Exported has = named == byNames.releases.end() ? Exported::Unknown : named->has;
    if (!byNames.known())
      has = Exported::Yes;
    if (has == Exported::Yes)
      has = serves(release, tag, brought, more);
    range.releases.push_back({std::move(name), has});
  }
  return range;
}

std::string indexOf(StringRef build) {
  return fmt::format("https://download.pytorch.org/whl/{}", build.rsplit('+').second);
}

std::string otherBuildThatServes(llvm::ArrayRef<LibraryFloor> floors, const TorchRange &byNames,
                                 llvm::ArrayRef<Requirement> declared,
                                 const tables::UserTables *more) {
  std::vector<LibraryFloor> brought = ofTorch(floors);
  for (const TorchRelease &release : tables::torchReleases(more)) {
    if (byNames.known() && !byNames.includes(release.str()))
      continue;
    for (const tables::TorchLine &line : tables::torchLines(release)) {
      std::string build = fmt::format("{}+{}", release.str(), line.tag);
      auto version = Version::parse(build);
      bool allowed = llvm::all_of(declared, [&](const Requirement &each) {
        return each.name != "torch" || each.specifiers.contains(*version);
      });
      if (allowed && !line.isDefault && serves(release, line.tag, brought, more) == Exported::Yes)
        return build;
    }
  }
  return {};
}

} // namespace cudacc::policy
