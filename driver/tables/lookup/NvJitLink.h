// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// The first line of a CUDA major whose libnvJitLink exports the symbol: `__nvJitLinkCreate_12_5`,
/// `nvJitLinkCreate`. The suffix is only a lower bound: 13.2 added GetLinkedLTOIR with the suffixes
/// of all CUDA 13 minors. A suffix newer than the last known line is taken as the line.
/// std::nullopt if no library of that major exports the function. Patch releases of a minor do not
/// differ (nvjitlink_symbols).
std::optional<versions::CudaVersion> firstNvJitLinkWith(llvm::StringRef symbol, unsigned major);

/// The version `M.m` in a suffixed name of nvJitLink (`__nvJitLinkCreate_12_5`). std::nullopt for
/// any other symbol.
std::optional<versions::CudaVersion> nvJitLinkSuffix(llvm::StringRef symbol);

} // namespace cudacc::tables
