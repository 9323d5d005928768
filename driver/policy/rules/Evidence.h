// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Evidence.h"
#include "driver/core/Judgement.h"
#include "driver/core/LibraryFloor.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Evidence of the toolkit that built the file, from what was already read: SY-21 to SY-25 and
/// SY-33, in this order. Each states its source. \p floors are those of the file, for SY-23.
std::vector<core::Evidence> evidenceOf(const core::BinaryFacts &facts,
                                       llvm::ArrayRef<core::LibraryFloor> floors);
/// The highest version of the images of that kind; 0.0 if there are none.
versions::CudaVersion highest(const core::DeviceCode &device, core::ImageKind kind);

/// The least driver that a file needs on a runtime of \p line: for its machine code and its cudart,
/// static or shared, and for its PTX. Both are empty if it uses no CUDA.
core::LeastDriver leastDriver(const core::BinaryFacts &file, versions::CudaVersion line);

/// Whether libcudart_static.a was linked into the file, by its symbol table or, as strip removes
/// that, by the record of the link.
bool hasStaticCudart(const core::BinaryFacts &file);

/// The oldest toolkit that can have built the newest part of the file; 0.0 if there is no evidence.
versions::CudaVersion leastToolkit(const core::BinaryFacts &file);

} // namespace cudacc::policy
