// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Coverage.h"
#include "driver/tables/lookup/Device.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using tables::Works;

bool runsOn(ImageKind kind, Arch arch, Arch gpu) {
  if (!arch.known() || !gpu.known())
    return false;
  if (arch.suffix == 'a')
    return arch.number == gpu.number;
  if (arch.suffix == 'f')
    return arch.number <= gpu.number && llvm::is_contained(tables::familyOf(arch), gpu.number);
  if (kind == ImageKind::Ptx)
    return arch.number <= gpu.number;
  return kind == ImageKind::Cubin && arch.major() == gpu.major() && arch.minor() <= gpu.minor() &&
         tables::isEmbedded(arch) == tables::isEmbedded(gpu);
}

NeedsCover needsCover(const DeviceUnit &unit) {
  bool cubins = false, ptx = false, unknown = false;
  for (const DeviceImage &image : unit.images) {
    if (image.kind == ImageKind::Cubin && image.code == HasCode::Yes && !image.relocatable)
      return NeedsCover::Yes;
    cubins |= image.kind == ImageKind::Cubin;
    ptx |= image.kind == ImageKind::Ptx;
    unknown |= image.kind == ImageKind::Unknown ||
               (image.kind == ImageKind::Cubin && image.code == HasCode::Unknown);
  }
  if (unknown)
    return NeedsCover::Maybe;
  return ptx && !cubins ? NeedsCover::Yes : NeedsCover::No;
}

CudaVersion translatorOf(const Target &target) {
  return target.driver.empty() ? target.line : target.driverCuda;
}

static Cover coverOf(const DeviceImage &image, Arch gpu, CudaVersion translator) {
  switch (image.kind) {
  case ImageKind::Cubin:
    if (!runsOn(image.kind, image.arch, gpu) || image.code == HasCode::No || image.relocatable)
      return Cover::None;
    return image.code == HasCode::Yes ? Cover::Sass : Cover::Unopened;
  case ImageKind::Ptx:
    if (!runsOn(image.kind, image.arch, gpu))
      return Cover::None;
    switch (tables::translatesPtx(translator, image.version)) {
    case Works::Yes:
      return Cover::Ptx;
    case Works::No:
      return Cover::PtxNewer;
    case Works::Unknown:
      return Cover::Unreadable;
    }
    return Cover::None;
  case ImageKind::LtoIr:
    return Cover::None;
  case ImageKind::Unknown:
    return Cover::Unreadable;
  }
  return Cover::None;
}

Cover coverOf(const DeviceUnit &unit, Arch gpu, CudaVersion translator) {
  Cover best = Cover::None;
  for (const DeviceImage &image : unit.images)
    best = std::max(best, coverOf(image, gpu, translator));
  return best;
}

bool linksAtRunTime(const DeviceCode &code, Arch gpu, CudaVersion translator) {
  return llvm::any_of(code.units, [&](const DeviceUnit &unit) {
    return unit.home == DeviceUnit::Home::Relocatable &&
           llvm::any_of(unit.images, [&](const DeviceImage &image) {
             return image.kind == ImageKind::Ptx && runsOn(image.kind, image.arch, gpu) &&
                    tables::translatesPtx(translator, image.version) == Works::Yes;
           });
  });
}

bool isLinkable(const DeviceImage &image, Arch arch) {
  switch (image.kind) {
  case ImageKind::Cubin:
    return image.relocatable && runsOn(image.kind, image.arch, arch);
  case ImageKind::Ptx:
    return runsOn(image.kind, image.arch, arch);
  case ImageKind::LtoIr:
    // As PTX. LTO-IR in a file of its own does not say which architecture it is for.
    return !image.arch.known() || runsOn(ImageKind::Ptx, image.arch, arch);
  case ImageKind::Unknown:
    return false;
  }
  return false;
}

static unsigned rank(ImageKind kind, bool lto) {
  switch (kind) {
  case ImageKind::LtoIr:
    return lto ? 4 : 1;
  case ImageKind::Cubin:
    return 3;
  case ImageKind::Ptx:
    return 2;
  case ImageKind::Unknown:
    return 0;
  }
  return 0;
}

const DeviceImage *linkableImage(llvm::ArrayRef<DeviceImage> images, Arch arch, bool lto) {
  const DeviceImage *best = nullptr;
  for (const DeviceImage &image : images) {
    if (!isLinkable(image, arch))
      continue;
    if (!best ||
        std::pair(rank(image.kind, lto), image.arch) > std::pair(rank(best->kind, lto), best->arch))
      best = &image;
  }
  return best;
}

} // namespace cudacc::policy
