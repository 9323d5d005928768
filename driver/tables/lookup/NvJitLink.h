// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// The version `M.m` in a suffixed name of nvJitLink (`__nvJitLinkCreate_12_5`), a lower bound:
/// 13.2 added GetLinkedLTOIR with the suffixes of all CUDA 13 minors. std::nullopt for any other
/// symbol.
std::optional<versions::CudaVersion> nvJitLinkSuffix(llvm::StringRef symbol);

} // namespace cudacc::tables
