#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/resolve/Forms.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Whether anything in the environment says which CUDA it has.
bool hasCuda(const core::PythonEnvironment &environment);

/// Line, release, libraries and site-packages of \p target from what is installed, as resolve()
/// says; every other runtime among \p wishes must hold for it. `env` is the wish that named it.
llvm::Error resolveEnvironment(llvm::ArrayRef<Wish> wishes, const Wish &env,
                               const core::PythonEnvironment &environment, core::Target &target);

} // namespace cudacc::resolve
