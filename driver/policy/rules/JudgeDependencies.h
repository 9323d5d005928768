// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// The \p findings of a file that is loaded as a dependency which mean that its symbols cannot be
/// bound, or that this is not known; they name \p dependency. Others are dropped: where libraries
/// are found depends on the file that loads the dependency.
std::vector<core::Finding> inherited(llvm::ArrayRef<core::Finding> findings,
                                     llvm::StringRef dependency);

} // namespace cudacc::policy
