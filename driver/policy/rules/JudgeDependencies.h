// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// Of the findings about a file that is loaded as a dependency, those by which its symbols cannot
/// be bound, or it is not known whether they can; they name \p dependency. Where libraries are
/// found is a matter of the file that leads to them.
std::vector<core::Finding> inherited(llvm::ArrayRef<core::Finding> findings,
                                     llvm::StringRef dependency);

} // namespace cudacc::policy
