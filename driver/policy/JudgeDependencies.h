#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::policy {

/// The libraries of the runtime that cannot be loaded because of others of it, as far as the tables
/// know what they import of one another: of those that \p load brings, and with \p afterFramework
/// of all that torch loads first. A lock can pin such versions.
std::vector<core::Finding> judgeCoupled(const core::Target &target, const core::LoadResult &load,
                                        bool afterFramework);

/// Of the findings about a file that is loaded as a dependency, those by which its symbols cannot
/// be bound, or it is not known whether they can; they name \p dependency. Where libraries are
/// found is a matter of the file that leads to them.
std::vector<core::Finding> inherited(llvm::ArrayRef<core::Finding> findings,
                                     llvm::StringRef dependency);

} // namespace cudacc::policy
