// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/LockedCuda.h"
#include "driver/resolve/PlaceLine.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Runtime.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

class LockResolution {
public:
  LockResolution(llvm::ArrayRef<DeclaredRequirement> requirements, const DeclaredRequirement &place,
                 const LockReading &lock, Target &target)
      : requirements(requirements), place(place), lock(lock), target(target),
        pins(pinnedDists(lock, place.more)), torch(pinnedTorch(lock, place.more)) {}
  llvm::Error resolve();

private:
  llvm::Expected<PlaceRelease> torchRelease() const;
  llvm::Expected<PlaceRelease> releaseOf(StringRef name) const;
  std::vector<PlaceLine> candidates();
  llvm::Expected<PlaceLine> choose();
  Finding rivals(const LockedPackage &one, const LockedPackage &other) const;
  /// For a pin that is one of several, or has no version.
  Finding rivals(const PinnedDist &pin) const {
    return rivals(*pin.package, pin.rival ? *pin.rival : *pin.package);
  }
  void addPinned();
  void addRow(const PinnedDist &pin, StringRef soname);
  void addFromTorch();
  void note();

  llvm::ArrayRef<DeclaredRequirement> requirements;
  const DeclaredRequirement &place;
  const LockReading &lock;
  Target &target;
  std::vector<PinnedDist> pins;
  PinnedTorch torch;
};

std::string pinOf(const LockedPackage &package) {
  return fmt::format("{} {} in {}", package.name,
                     package.text.empty() ? "without version" : package.text, package.place());
}

} // namespace

bool hasCuda(const LockReading &lock) {
  return !pinnedDists(lock).empty() || pinnedTorch(lock).line;
}

/// The finding for two versions of one package, or one without a version.
Finding LockResolution::rivals(const LockedPackage &one, const LockedPackage &other) const {
  Finding result = findingAbout(Code::EvidenceConflict,
                                fmt::format("which {} is installed is unknown", one.name), place);
  result.addFact("pinned", pinOf(one));
  if (&other != &one)
    result.addFact("pinned", pinOf(other));
  result.fixes = {"lock one version of it", "declare what is installed: env:PATH, torch==2.5.1"};
  return result;
}

llvm::Expected<PlaceRelease> LockResolution::torchRelease() const {
  if (torch.rival)
    return makeError(rivals(*torch.package, *torch.rival));
  auto has = Version::parse(torch.str());
  return PlaceRelease{has, has ? fmt::format("torch {}", torch) : "no torch",
                      torch.package ? pinOf(*torch.package) : lock.shown};
}

/// For frameworks other than torch.
llvm::Expected<PlaceRelease> LockResolution::releaseOf(StringRef name) const {
  const LockedPackage *found = nullptr;
  for (const LockedPackage &package : lock.packages) {
    if (name != package.name)
      continue;
    if (found && found->version != package.version)
      return makeError(rivals(*found, package));
    found = &package;
  }
  if (!found)
    return PlaceRelease{std::nullopt, fmt::format("no {}", name), lock.shown};
  PlaceRelease release{std::nullopt, fmt::format("{} {}", name, found->text), pinOf(*found)};
  if (!found->version.release.empty())
    release.version = found->version;
  return release;
}

std::vector<PlaceLine> LockResolution::candidates() {
  std::vector<PlacePart> parts;
  for (const PinnedDist &pin : pins)
    if (pin.known())
      parts.push_back(
          {pin.line, pin.isRuntime(), pin.dist, pin.package->version, pinOf(*pin.package)});
  PlacePart ofTorch;
  if (torch.line) {
    ofTorch.line = torch.line->cuda;
    ofTorch.evidence = pinOf(*torch.package);
  }
  return placeLines(parts, ofTorch, place.more);
}

llvm::Expected<PlaceLine> LockResolution::choose() {
  std::vector<PlaceLine> found = candidates();
  for (const PinnedDist &pin : pins) {
    bool counts = !torch.line || pin.major == torch.line->cuda.major;
    if (counts && pin.isRuntime() && (!pin.known() || !pin.line.known()))
      return makeError(rivals(pin));
  }
  if (found.empty() && torch.rival)
    return makeError(rivals(*torch.package, *torch.rival));
  for (const PinnedDist &pin : pins)
    if (found.empty() && !pin.known())
      return makeError(rivals(pin));
  if (found.empty())
    return noLockedCuda(place, lock, torch.package ? pinOf(*torch.package) : "", torch.withoutCuda);
  return resolve::choose(requirements, place, found);
}

void LockResolution::addRow(const PinnedDist &pin, StringRef soname) {
  if (target.find(soname))
    return;
  TargetLibrary &row = target.libraries.emplace_back();
  row.soname = soname.str();
  row.dist = pin.dist;
  if (pin.known()) {
    row.version = pin.package->version;
    row.cuda = pin.line;
  }
  row.ofConda = pin.package->conda;
  if (!row.ofConda)
    row.folder = tables::folderOf(soname, pin.dist, pin.package->version).str();
  row.origin = "pinned in " + pin.package->place();
}

void LockResolution::addPinned() {
  for (const PinnedDist &pin : pins) {
    if (pin.major != target.line.major)
      continue;
    for (StringRef soname : pin.sonames)
      addRow(pin, soname);
    if (pin.known())
      continue;
    Finding unknown = rivals(pin);
    if (!pin.sonames.empty())
      unknown.library = pin.sonames.front().str();
    target.problems.push_back(std::move(unknown));
  }
}

/// Adds the libraries that torch requires and the lock file does not pin, as if torch alone were
/// declared.
void LockResolution::addFromTorch() {
  if (!torch.line || torch.conda || torch.line->cuda.major != target.line.major)
    return;
  auto release = torch.line->toolkit ? torch.line->toolkit
                                     : tables::firstRelease(torch.line->cuda, place.more);
  if (!release)
    return;
  for (const tables::RuntimeLibrary &library :
       tables::runtimeLibraries(*release, tables::torchPins(*torch.line), place.more)) {
    bool locked = llvm::any_of(
        pins, [&](const PinnedDist &pin) { return StringRef(pin.dist) == library.dist; });
    if (locked || target.find(library.soname) || (torch.line->pinsKnown && !library.pinned))
      continue;
    TargetLibrary &row = target.libraries.emplace_back();
    row.soname = library.soname.str();
    row.dist = library.dist.str();
    row.version = *Version::parse(library.version);
    row.cuda = library.cuda;
    row.folder = library.folder.str();
    row.floats = library.floats;
    row.origin = !library.pinned  ? fmt::format("floor of CUDA {}", torch.line->cuda)
                 : library.floats ? fmt::format("floats in torch {}, floor", torch)
                                  : fmt::format("pinned by torch {}", torch);
  }
}

/// Adds the problems: incompatible versions and what could not be parsed.
void LockResolution::note() {
  target.problems.insert(target.problems.end(), lock.problems.begin(), lock.problems.end());
  if (torch.rival)
    target.problems.push_back(rivals(*torch.package, *torch.rival));
  for (const PinnedDist &pin : pins)
    if (pin.known() && pin.sonames.empty()) {
      Finding unknown = findingAbout(
          Code::UnknownRelease,
          fmt::format("the tables know no library of {} {}", pin.package->name, pin.package->text),
          place);
      unknown.severity = Severity::Warning;
      unknown.addFact("pinned", pinOf(*pin.package));
      target.problems.push_back(std::move(unknown));
    }
}

llvm::Error LockResolution::resolve() {
  auto has = [&](const DeclaredRequirement &requirement) {
    return requirement.kind == RequirementKind::Torch ? torchRelease()
                                                      : releaseOf(requirement.framework.name);
  };
  if (llvm::Error error = checkReleases(requirements, has))
    return error;
  setTorch(target, Version::parse(torch.str()));
  auto chosen = choose();
  if (!chosen)
    return chosen.takeError();
  setLine(target, *chosen);
  if (chosen->releases.empty() && torch.line && torch.line->toolkit &&
      torch.line->cuda == target.line)
    target.release = torch.line->toolkit->str();
  addPinned();
  addFromTorch();
  note();
  llvm::sort(target.libraries,
             [](const TargetLibrary &a, const TargetLibrary &b) { return a.soname < b.soname; });
  target.findLayout(lock.shown);
  return llvm::Error::success();
}

llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &place, const LockReading &lock,
                         Target &target) {
  return LockResolution(requirements, place, lock, target).resolve();
}

} // namespace cudacc::resolve
