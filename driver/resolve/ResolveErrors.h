#pragma once

#include "driver/resolve/Worlds.h"

/// Why a declaration has no target; each says which requirement, where it was written, and fixes.
namespace cudacc::resolve {

/// F16: no release or line that the tables know satisfies the wish.
llvm::Error unknownRelease(const Wish &wish);
/// F13: \p worlds begin in one CUDA major and go on in another.
llvm::Error spansMajors(llvm::ArrayRef<Wish> wishes, const Worlds &worlds);
/// V-CN-09: every wish can be met, all together cannot.
llvm::Error contradiction(llvm::ArrayRef<Wish> wishes);

} // namespace cudacc::resolve
