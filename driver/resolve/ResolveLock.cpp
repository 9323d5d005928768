// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Lock.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/resolve/PlaceLine.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Runtime.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

/// One of NVIDIA's distributions that a lock file pins, and what the tables know about it.
struct PinnedDist {
  const LockedPackage *package = nullptr;
  /// A second pin with another version, if nothing says which one is installed; else null.
  const LockedPackage *rival = nullptr;
  /// The distribution under which the tables list it: for a conda package, the wheel with the same
  /// component.
  std::string dist;
  /// CUDA major it was built for.
  unsigned major = 0;
  /// 0.0 if no toolkit contains it, or not known.
  CudaVersion line;
  /// Empty if the tables know no library of that version.
  llvm::SmallVector<StringRef, 12> sonames;

  /// Whether the installed version is known.
  bool known() const { return !rival && !package->version.release.empty(); }
  bool isRuntime() const;
};

struct PinnedTorch {
  const LockedPackage *package = nullptr, *rival = nullptr;
  /// The release, if the tables know it.
  std::optional<tables::TorchRelease> release;
  std::optional<tables::TorchLine> line;
  /// PyPI's wheel of it has no CUDA for the machine that the lock file was read for.
  bool withoutCuda = false;
  /// A conda package: its dependencies are in the lock file too.
  bool conda = false;

  bool known() const { return package && !rival && !package->version.release.empty(); }
  /// The version with the label of its build, which PyPI's version lacks; empty if torch is not
  /// pinned.
  std::string str() const;
};

struct Known {
  std::string dist;
  unsigned major = 0;
};

std::vector<unsigned> newestFirst(const tables::UserTables *more) {
  std::vector<unsigned> majors = tables::toolkitMajors(more);
  std::reverse(majors.begin(), majors.end());
  return majors;
}

/// conda names a component like the wheel, without `nvidia-`, or also with `lib` in front.
std::optional<Known> knownConda(const LockedPackage &package, unsigned usual,
                                const tables::UserTables *more) {
  const std::vector<unsigned> majors = newestFirst(more);
  StringRef name = package.name == "cuda-cudart" ? "cuda-runtime" : StringRef(package.name);
  for (StringRef stem : {name, name.substr(name.starts_with("lib") ? 3 : 0),
                         name.substr(name.starts_with("cuda-") ? 5 : 0)})
    for (unsigned major : majors)
      for (std::string suffix : {fmt::format("-cu{}", major), std::string()}) {
        std::string dist = fmt::format("nvidia-{}{}", stem, suffix);
        CudaVersion line = tables::lineOf(dist, package.version, more);
        if (tables::sonamesOf(dist, package.version).empty())
          continue;
        if (line.known() ? line.major == major : major == usual && !suffix.empty())
          return Known{std::move(dist), major};
      }
  return std::nullopt;
}

/// CUDA 13's wheels have no suffix; a version that the tables lack is still of its library's major.
unsigned majorOf(StringRef dist, const Version &version, const tables::UserTables *more) {
  if (unsigned major = majorOfSuffix(dist))
    return major;
  if (CudaVersion line = tables::lineOf(dist, version, more); line.known())
    return line.major;
  for (StringRef soname : tables::sonamesOf(dist, version))
    for (unsigned major : newestFirst(more))
      if (tables::distOf(soname, major) == dist)
        return major;
  return 0;
}

std::optional<Known> knownWheel(const LockedPackage &package, const tables::UserTables *more) {
  if (!StringRef(package.name).starts_with("nvidia-"))
    return std::nullopt;
  unsigned major = majorOf(package.name, package.version, more);
  if (!llvm::is_contained(tables::toolkitMajors(more), major))
    return std::nullopt;
  return Known{package.name, major};
}

bool brings(const PinnedDist &pin, StringRef prefix) {
  return llvm::any_of(pin.sonames, [&](StringRef soname) { return soname.starts_with(prefix); });
}

/// The CUDA major for packages whose name and version do not contain one: that of the runtime, else
/// of the first pin.
unsigned usualMajor(llvm::ArrayRef<PinnedDist> pins) {
  for (const PinnedDist &pin : pins)
    if (pin.isRuntime())
      return pin.major;
  return pins.empty() ? 0 : pins.front().major;
}

void addPin(const LockedPackage &package, unsigned usual, std::vector<PinnedDist> &pins,
            const tables::UserTables *more) {
  auto known = package.conda ? knownConda(package, usual, more) : knownWheel(package, more);
  if (!known)
    return;
  auto same = llvm::find_if(pins, [&](const PinnedDist &pin) { return pin.dist == known->dist; });
  if (same != pins.end()) {
    if (same->package->version != package.version ||
        same->package->version.release.empty() != package.version.release.empty())
      same->rival = &package;
    return;
  }
  PinnedDist &pin = pins.emplace_back();
  pin.package = &package;
  pin.dist = std::move(known->dist);
  pin.major = known->major;
  pin.line = tables::lineOf(pin.dist, package.version, more);
  pin.sonames = tables::sonamesOf(pin.dist, package.version);
}

} // namespace

bool PinnedDist::isRuntime() const { return brings(*this, "libcudart.so."); }

/// In the order of the lock file, each distribution once.
static std::vector<PinnedDist> pinnedDists(const LockReading &lock,
                                           const tables::UserTables *more = nullptr) {
  std::vector<PinnedDist> pins;
  for (const LockedPackage &package : lock.packages)
    addPin(package, 0, pins, more);
  // conda's cuDNN and NCCL have no CUDA major in their names: use that of the other packages.
  if (unsigned usual = usualMajor(pins))
    for (const LockedPackage &package : lock.packages)
      if (package.conda)
        addPin(package, usual, pins, more);
  return pins;
}

static void findBuild(PinnedTorch &torch, StringRef machine, const tables::UserTables *more) {
  const Version &version = torch.package->version;
  for (const tables::TorchRelease &release : tables::torchReleases(more)) {
    if (version.isPreRelease() || version.at(0) != release.major ||
        version.at(1) != release.minor || version.at(2) != release.patch)
      continue;
    torch.release = release;
    if (version.local.empty()) {
      torch.withoutCuda = !machine.empty() && release.withoutCuda == machine;
      if (!torch.withoutCuda)
        torch.line = tables::defaultTorchLine(release);
      return;
    }
    for (const tables::TorchLine &line : tables::torchLines(release))
      if (line.tag == version.local.front())
        torch.line = line;
  }
}

static PinnedTorch pinnedTorch(const LockReading &lock, const tables::UserTables *more = nullptr) {
  PinnedTorch torch;
  for (const LockedPackage &package : lock.packages) {
    if (package.name != "torch" && !(package.conda && package.name == "pytorch"))
      continue;
    if (torch.package && torch.package->version != package.version)
      torch.rival = &package;
    if (!torch.package)
      torch.package = &package;
  }
  if (torch.known() && !torch.package->conda)
    findBuild(torch, lock.machine, more);
  torch.conda = torch.package && torch.package->conda;
  return torch;
}

std::string PinnedTorch::str() const {
  if (!known())
    return {};
  Version version = package->version;
  if (version.local.empty() && line)
    version.local.push_back(line->tag.str());
  return version.str();
}

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
