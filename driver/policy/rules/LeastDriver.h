// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Judgement.h"

namespace cudacc::policy {

/// The least driver that a file needs on a runtime of \p line: for its machine code and its cudart,
/// static or shared, and for its PTX. Both are empty if it uses no CUDA.
core::LeastDriver leastDriver(const core::BinaryFacts &file, versions::CudaVersion line);

/// Whether libcudart_static.a was linked into the file, by its symbol table or, as strip removes
/// that, by the record of the link.
bool hasStaticCudart(const core::BinaryFacts &file);

/// The oldest toolkit that can have built the newest part of the file; 0.0 if there is no evidence.
versions::CudaVersion leastToolkit(const core::BinaryFacts &file);

} // namespace cudacc::policy
