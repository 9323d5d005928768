// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// The first line of a CUDA major whose libnvJitLink exports the symbol: `__nvJitLinkCreate_12_5`,
/// `nvJitLinkCreate`. The suffix is a lower bound only: GetLinkedLTOIR came to every family of
/// CUDA 13 with 13.2. A suffix behind the newest known line is taken at its word. Nothing: no
/// library of that major exports the function. No patch release of a minor differs
/// (nvjitlink_symbols).
std::optional<versions::CudaVersion> firstNvJitLinkWith(llvm::StringRef symbol, unsigned major);

/// The `M.m` that a suffixed name of nvJitLink carries (`__nvJitLinkCreate_12_5`); nothing for any
/// other symbol.
std::optional<versions::CudaVersion> nvJitLinkSuffix(llvm::StringRef symbol);

} // namespace cudacc::tables
