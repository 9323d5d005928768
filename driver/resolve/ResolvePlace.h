#pragma once

#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/resolve/Forms.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Whether anything in the environment, or that the lock pins, says which CUDA it has.
bool hasCuda(const core::PythonEnvironment &environment);
bool hasCuda(const core::LockReading &lock);

/// Line, release and libraries of \p target from what is installed or locked, as resolve() says; of
/// an environment its site-packages too. Every other runtime among \p wishes must hold for it.
/// \p place is the wish that named it.
llvm::Error resolvePlace(llvm::ArrayRef<Wish> wishes, const Wish &place,
                         const core::PythonEnvironment &environment, core::Target &target);
llvm::Error resolvePlace(llvm::ArrayRef<Wish> wishes, const Wish &place,
                         const core::LockReading &lock, core::Target &target);

} // namespace cudacc::resolve
