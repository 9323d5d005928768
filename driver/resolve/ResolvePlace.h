// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Whether anything in the environment, or that the lock pins, says which CUDA it has.
bool hasCuda(const core::PythonEnvironment &environment);
bool hasCuda(const core::LockReading &lock);

/// Line, release and libraries of \p target from what is installed or locked, as resolve() says; of
/// an environment its site-packages too. Every other runtime among \p requirements must hold for
/// it.
/// \p place is the requirement that named it.
llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &place,
                         const core::PythonEnvironment &environment, core::Target &target);
llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &place, const core::LockReading &lock,
                         core::Target &target);

} // namespace cudacc::resolve
