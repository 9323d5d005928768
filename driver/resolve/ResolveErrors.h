// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"
#include "driver/resolve/JointResolver.h"

/// Errors of declarations that cannot be resolved. Each names the requirement, where it was
/// written, and fixes.
namespace cudacc::resolve {

/// F16: no release or line in the tables satisfies the requirement.
llvm::Error unknownRelease(const DeclaredRequirement &requirement);
/// F13: \p candidates span more than one CUDA major.
llvm::Error spansMajors(llvm::ArrayRef<DeclaredRequirement> requirements,
                        const CandidateSet &candidates);
/// V-CN-09: every requirement can be satisfied alone, but not all together.
llvm::Error contradiction(llvm::ArrayRef<DeclaredRequirement> requirements);

/// Says of a release that is newer than the tables how old these are, and how to get newer ones. \p
/// more: rows of the user's, null if there are none.
void addUpdate(const tables::UserTables *more, core::Finding &result);

/// V-CN-09: each framework can be installed alone, but not all together.
llvm::Error doNotFit(llvm::ArrayRef<DeclaredRequirement> requirements, std::string reason);

} // namespace cudacc::resolve
