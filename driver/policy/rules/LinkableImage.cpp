// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/LinkableImage.h"
#include "driver/policy/rules/Coverage.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

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
