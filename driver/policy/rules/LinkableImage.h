// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Whether a device linker can use \p image in code for \p arch: LTO-IR and PTX of an architecture
/// up to it, a relocatable cubin that runs on it.
bool isLinkable(const core::DeviceImage &image, versions::Arch arch);

/// The image of a container that a device linker uses for \p arch: with \p lto LTO-IR first, else
/// machine code, PTX, LTO-IR, each of the highest architecture. Null if there is none.
const core::DeviceImage *linkableImage(llvm::ArrayRef<core::DeviceImage> images,
                                       versions::Arch arch, bool lto);

} // namespace cudacc::policy
