#include "driver/resolve/ResolveLock.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/LockedCuda.h"
#include "driver/resolve/PlaceLine.h"
#include "driver/tables/lookup/Drivers.h"
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
  LockResolution(llvm::ArrayRef<Wish> wishes, const Wish &place, const LockReading &lock,
                 Target &target)
      : wishes(wishes), place(place), lock(lock), target(target),
        pins(pinnedDists(lock, place.more)), torch(pinnedTorch(lock, place.more)) {}
  llvm::Error resolve();

private:
  llvm::Error checkTorch();
  llvm::Error checkFrameworks();
  std::vector<PlaceLine> candidates();
  llvm::Expected<PlaceLine> choose();
  Finding rivals(const LockedPackage &one, const LockedPackage &other) const;
  Finding finding(Code code, std::string message) const;
  void addPinned();
  void addRow(const PinnedDist &pin, StringRef soname);
  void addFromTorch();
  void note();

  llvm::ArrayRef<Wish> wishes;
  const Wish &place;
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

Finding LockResolution::finding(Code code, std::string message) const {
  Finding result;
  result.code = code;
  result.message = std::move(message);
  result.origin = place.setting->origin.str();
  result.facts.push_back({"declared", place.describe()});
  return result;
}

/// Two versions of one package, or one whose version is not said.
Finding LockResolution::rivals(const LockedPackage &one, const LockedPackage &other) const {
  Finding result =
      finding(Code::EvidenceConflict, fmt::format("which {} is installed is unknown", one.name));
  result.facts.push_back({"pinned", pinOf(one)});
  if (&other != &one)
    result.facts.push_back({"pinned", pinOf(other)});
  result.fixes = {"lock one version of it", "declare what is installed: env:PATH, torch==2.5.1"};
  return result;
}

llvm::Error LockResolution::checkTorch() {
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Torch)
      continue;
    if (torch.rival)
      return fail(rivals(*torch.package, *torch.rival));
    auto has = Version::parse(torch.str());
    if (has && wish.specifiers.contains(*has, /*pre=*/true))
      continue;
    std::string what = has ? fmt::format("torch {}", torch) : "no torch";
    return notLocked(wishes, what, {{"has", torch.package ? pinOf(*torch.package) : lock.shown}});
  }
  target.torch = torch.str();
  if (torch.known()) {
    Version release = torch.package->version;
    release.local.clear();
    target.torchReleases = {release.str()};
  }
  return llvm::Error::success();
}

/// Other frameworks by the release that is locked.
llvm::Error LockResolution::checkFrameworks() {
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Framework)
      continue;
    const LockedPackage *found = nullptr;
    for (const LockedPackage &package : lock.packages) {
      if (wish.framework.name != package.name)
        continue;
      if (found && found->version != package.version)
        return fail(rivals(*found, package));
      found = &package;
    }
    if (found && !found->version.release.empty() &&
        wish.specifiers.contains(found->version, /*pre=*/true))
      continue;
    std::string what = found ? fmt::format("{} {}", wish.framework.name, found->text)
                             : fmt::format("no {}", wish.framework.name);
    return notLocked(wishes, what, {{"has", found ? pinOf(*found) : lock.shown}});
  }
  return llvm::Error::success();
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
      return fail(rivals(*pin.package, pin.rival ? *pin.rival : *pin.package));
  }
  if (found.empty() && torch.rival)
    return fail(rivals(*torch.package, *torch.rival));
  for (const PinnedDist &pin : pins)
    if (found.empty() && !pin.known())
      return fail(rivals(*pin.package, pin.rival ? *pin.rival : *pin.package));
  if (found.empty())
    return noLockedCuda(place, lock, torch.package ? pinOf(*torch.package) : "", torch.withoutCuda);
  auto [good, has] = resolve::choose(wishes, found);
  if (good.size() == 1)
    return good.front();
  if (good.empty())
    return notLocked(wishes, fmt::format("CUDA {}", found.front().line), std::move(has));
  Finding several = finding(Code::EvidenceConflict, "the lock has several CUDA majors");
  several.facts.insert(several.facts.end(), has.begin(), has.end());
  several.fixes = {
      "lock the wheels of one major",
      fmt::format("say which one is meant: {} together with cuda==12.*", place.setting->value)};
  return fail(std::move(several));
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
  if (!pin.package->conda)
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
    Finding unknown = rivals(*pin.package, pin.rival ? *pin.rival : *pin.package);
    if (!pin.sonames.empty())
      unknown.library = pin.sonames.front().str();
    target.problems.push_back(std::move(unknown));
  }
}

/// What torch asks for and the lock leaves open, as requirements of torch alone do.
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

/// What is known not to fit, or was not understood.
void LockResolution::note() {
  target.problems.insert(target.problems.end(), lock.problems.begin(), lock.problems.end());
  if (torch.rival)
    target.problems.push_back(rivals(*torch.package, *torch.rival));
  for (const PinnedDist &pin : pins)
    if (pin.known() && pin.sonames.empty()) {
      Finding unknown =
          finding(Code::UnknownRelease, fmt::format("the tables know no library of {} {}",
                                                    pin.package->name, pin.package->text));
      unknown.severity = Severity::Warning;
      unknown.facts.push_back({"pinned", pinOf(*pin.package)});
      target.problems.push_back(std::move(unknown));
    }
}

llvm::Error LockResolution::resolve() {
  if (llvm::Error error = checkTorch())
    return error;
  if (llvm::Error error = checkFrameworks())
    return error;
  auto chosen = choose();
  if (!chosen)
    return chosen.takeError();
  target.line = chosen->line;
  if (chosen->releases.size() == 1)
    target.release = chosen->releases.front().str();
  else if (chosen->releases.empty() && torch.line && torch.line->toolkit &&
           torch.line->cuda == target.line)
    target.release = torch.line->toolkit->str();
  target.driverFloor = tables::driverFloor(target.line.major).str();
  addPinned();
  addFromTorch();
  note();
  llvm::sort(target.libraries,
             [](const TargetLibrary &a, const TargetLibrary &b) { return a.soname < b.soname; });
  return llvm::Error::success();
}

llvm::Error resolveLock(llvm::ArrayRef<Wish> wishes, const Wish &place, const LockReading &lock,
                        Target &target) {
  return LockResolution(wishes, place, lock, target).resolve();
}

} // namespace cudacc::resolve
