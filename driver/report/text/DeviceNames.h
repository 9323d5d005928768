// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/DeviceCode.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::report {

/// `ptx`, `cubin`, `ltoir`, `unknown`.
llvm::StringRef str(core::ImageKind kind);
/// `none`, `zstd`, `lz4`, `unknown`.
llvm::StringRef str(core::Compression compression);
/// `sm_90a`, `compute_90`, `lto_90`.
std::string archOf(const core::DeviceImage &image);

} // namespace cudacc::report
