// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/LockedCuda.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

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

std::vector<PinnedDist> pinnedDists(const LockReading &lock, const tables::UserTables *more) {
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

PinnedTorch pinnedTorch(const LockReading &lock, const tables::UserTables *more) {
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

} // namespace cudacc::resolve
