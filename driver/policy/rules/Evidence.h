// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Evidence.h"
#include "driver/core/LibraryFloor.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Evidence of the toolkit that built the file, from what was already read: SY-21 to SY-25 and
/// SY-33, in this order. Each states its source. \p floors are those of the file, for SY-23.
std::vector<core::Evidence> evidenceOf(const core::BinaryFacts &facts,
                                       llvm::ArrayRef<core::LibraryFloor> floors);
/// The highest version of the images of that kind; 0.0 if there are none.
versions::CudaVersion highest(const core::DeviceCode &device, core::ImageKind kind);

} // namespace cudacc::policy
