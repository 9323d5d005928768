// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/FoundTorch.h"
#include "driver/core/Invocation.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::policy {

/// Compares the torch headers that a compile finds with the oldest torch of the runtime. Newer
/// minor releases are rejected: what they declare or inline may be missing. Older ones, and builds
/// for another CUDA line, are a warning: symbols are removed as well as added, and layouts change,
/// which no table shows. Patch releases of one minor count as equal. If the \p call confines itself
/// to torch's stable ABI (-DTORCH_TARGET_VERSION, headers since 2.10), the release that it names is
/// compared instead.
///
/// Empty if the runtime has no torch. With `enforce = "symbols"` newer headers are accepted here,
/// and the link checks the symbols.
std::vector<core::Finding> judgeTorchHeaders(const core::Target &target,
                                             llvm::ArrayRef<core::FoundTorch> found,
                                             const core::Invocation &call);

/// The same for torch's libraries on a link line.
std::vector<core::Finding> judgeTorchLibraries(const core::Target &target,
                                               llvm::ArrayRef<core::FoundTorch> found);

/// The release that `-DTORCH_TARGET_VERSION=0x020a000000000000` confines a call to. std::nullopt if
/// the call has no such definition; a version without numbers if its value is not understood.
std::optional<versions::Version> stableTorchOf(const core::Invocation &call);

} // namespace cudacc::policy
