// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Image.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// Sets `staticCudart` if .symtab has local functions `libcudart_static_<40 hex digits>`, and
/// `cudartRelease` by its local functions `cuda...`, all of which the archive brings (SY-25). \p
/// places are the file offsets of the former's prefix, if known.
llvm::Error readStaticCudart(const Image &image, std::optional<llvm::ArrayRef<uint64_t>> places,
                             core::BinaryFacts &facts);

} // namespace cudacc::binary
