#pragma once

#include "driver/resolve/Together.h"

/// Why a declared framework has no target; ResolveErrors has the others.
namespace cudacc::resolve {

/// F16: no release that the tables know satisfies the wish, or nothing is known about its
/// libraries.
llvm::Error unknownFramework(const Wish &wish);

/// V-CN-09: each framework could be installed, both together cannot.
llvm::Error doNotFit(llvm::ArrayRef<Wish> wishes, std::string reason);

} // namespace cudacc::resolve
