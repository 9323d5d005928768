// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/JointResolver.h"

/// Why a declared framework has no target; ResolveErrors has the others.
namespace cudacc::resolve {

/// F16: no release that the tables know satisfies the requirement, or nothing is known about its
/// libraries.
llvm::Error unknownFramework(const DeclaredRequirement &requirement);

/// V-CN-09: each framework could be installed, both together cannot.
llvm::Error doNotFit(llvm::ArrayRef<DeclaredRequirement> requirements, std::string reason);

} // namespace cudacc::resolve
