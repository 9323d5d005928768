#pragma once

#include "driver/core/Lock.h"
#include "driver/core/Target.h"
#include "driver/resolve/Forms.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Whether anything that the lock pins says which CUDA it is for.
bool hasCuda(const core::LockReading &lock);

/// Line, release and libraries of \p target from the pins of a lock, as resolve() says; every other
/// runtime among \p wishes must hold for it. `place` is the wish that named it.
llvm::Error resolveLock(llvm::ArrayRef<Wish> wishes, const Wish &place,
                        const core::LockReading &lock, core::Target &target);

} // namespace cudacc::resolve
