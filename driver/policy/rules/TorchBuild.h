// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/Invocation.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::policy {

/// The headers of torch that a compile finds, against the oldest torch of the runtime. Newer minor
/// releases are refused: what they declare or inline may not be there. Older ones, and builds for
/// another CUDA, are a warning: names go as well as come, and layouts change, which no table shows.
/// Releases of one minor are alike. A \p call that confines itself to torch's stable ABI
/// (-DTORCH_TARGET_VERSION, headers since 2.10) is held to the release that it names.
///
/// Nothing where the runtime has no torch. Under `symbols` the link tells what came of newer
/// headers.
std::vector<core::Finding> judgeTorchHeaders(const core::Target &target,
                                             llvm::ArrayRef<core::FoundTorch> found,
                                             const core::Invocation &call);

/// The libraries of torch on a link line, likewise.
std::vector<core::Finding> judgeTorchLibraries(const core::Target &target,
                                               llvm::ArrayRef<core::FoundTorch> found);

/// The release that `-DTORCH_TARGET_VERSION=0x020a000000000000` confines a call to. Nothing: the
/// call has no such definition; without numbers: its value is none that is understood.
std::optional<versions::Version> stableTorchOf(const core::Invocation &call);

} // namespace cudacc::policy
