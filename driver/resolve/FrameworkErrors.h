// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/JointResolver.h"

/// Errors of declared frameworks; ResolveErrors.h has the others.
namespace cudacc::resolve {

/// F16: no release in the tables satisfies the requirement, or nothing is known about its
/// libraries.
llvm::Error unknownFramework(const DeclaredRequirement &requirement);

/// V-CN-09: each framework can be installed alone, but not all together.
llvm::Error doNotFit(llvm::ArrayRef<DeclaredRequirement> requirements, std::string reason);

} // namespace cudacc::resolve
