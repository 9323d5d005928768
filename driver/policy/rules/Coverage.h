// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "driver/core/Target.h"

namespace cudacc::policy {

/// FB-44 without the question of the PTX ISA: machine code of that architecture runs on the GPU, or
/// PTX of it can be translated for it.
bool runsOn(core::ImageKind kind, versions::Arch arch, versions::Arch gpu);

/// What a unit gives a GPU, worse to better.
enum class Cover {
  None,
  /// PTX that neither the runtime nor the declared driver translates.
  PtxNewer,
  /// An image of unknown kind, or PTX of an unknown ISA.
  Unreadable,
  /// A cubin that may be without code (FB-40).
  Unopened,
  Ptx,
  Sass,
};

/// Whether a unit needs coverage at all (FB-45).
enum class NeedsCover { No, Maybe, Yes };
NeedsCover needsCover(const core::DeviceUnit &unit);

/// What translates PTX: the declared driver, else the runtime's CUDA version. 0.0: a driver of
/// unknown CUDA version.
versions::CudaVersion translatorOf(const core::Target &target);

/// FB-42: of one unit.
Cover coverOf(const core::DeviceUnit &unit, versions::Arch gpu, versions::CudaVersion translator);

/// FB-43: relocatable code of the file that run-time linking could make into code for the GPU.
bool linksAtRunTime(const core::DeviceCode &code, versions::Arch gpu,
                    versions::CudaVersion translator);

} // namespace cudacc::policy
