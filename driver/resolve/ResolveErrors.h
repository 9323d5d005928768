// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"

/// Why a declaration has no target; each says which requirement, where it was written, and fixes.
namespace cudacc::resolve {

/// F16: no release or line that the tables know satisfies the requirement.
llvm::Error unknownRelease(const DeclaredRequirement &requirement);
/// F13: \p candidates begin in one CUDA major and go on in another.
llvm::Error spansMajors(llvm::ArrayRef<DeclaredRequirement> requirements,
                        const CandidateSet &candidates);
/// V-CN-09: every requirement can be met, all together cannot.
llvm::Error contradiction(llvm::ArrayRef<DeclaredRequirement> requirements);

} // namespace cudacc::resolve
