// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// FB-44 without checking the PTX ISA: machine code of that architecture runs on the GPU, or PTX of
/// it can be compiled for the GPU.
bool runsOn(core::ImageKind kind, versions::Arch arch, versions::Arch gpu);

/// How a unit of device code supports a GPU, from worst to best.
enum class Cover {
  None,
  /// PTX that is too new for the declared driver, or without one for the runtime.
  PtxNewer,
  /// An image of unknown kind, or PTX of an unknown ISA.
  Unreadable,
  /// A cubin that may contain no code (FB-40).
  Unopened,
  Ptx,
  Sass,
};

/// Whether a unit has to support the GPUs at all (FB-45).
enum class NeedsCover { No, Maybe, Yes };
NeedsCover needsCover(const core::DeviceUnit &unit);

/// The CUDA version that limits the PTX ISA: that of the declared driver, else the runtime's. 0.0:
/// the driver's CUDA version is not known.
versions::CudaVersion translatorOf(const core::Target &target);

/// FB-42 for one unit.
Cover coverOf(const core::DeviceUnit &unit, versions::Arch gpu, versions::CudaVersion translator);

/// FB-43: whether the file has relocatable code that run-time linking could turn into code for the
/// GPU.
bool linksAtRunTime(const core::DeviceCode &code, versions::Arch gpu,
                    versions::CudaVersion translator);

/// Whether a device linker can use \p image in code for \p arch: LTO-IR and PTX of an architecture
/// up to it, a relocatable cubin that runs on it.
bool isLinkable(const core::DeviceImage &image, versions::Arch arch);

/// The image of a container that a device linker uses for \p arch: with \p lto LTO-IR first, else
/// machine code, PTX, LTO-IR, each of the highest architecture. Null if there is none.
const core::DeviceImage *linkableImage(llvm::ArrayRef<core::DeviceImage> images,
                                       versions::Arch arch, bool lto);

} // namespace cudacc::policy
