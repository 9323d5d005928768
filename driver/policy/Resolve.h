#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Target.h"
#include "llvm/Support/Error.h"

namespace cudacc::policy {

/// The declaration as a set of per-library versions (TG-1). Nothing declared: an undeclared target
/// with the mode. A CUDA range is its floor, the lowest known line that satisfies it; `cuda==12.4`
/// is the line 12.4 with the components of its first release, `cuda==12.4.1` that release. A torch
/// range has the weakest version of each library over all known releases in it, and only the
/// libraries that all of them have. Errors: BadRequirement, SpansMajors (F13), UnknownRelease
/// (F16), Constraint (V-CN-09).
llvm::Expected<core::Target> resolve(const core::Declaration &declaration);

} // namespace cudacc::policy
