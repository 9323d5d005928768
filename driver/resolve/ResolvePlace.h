// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::resolve {

/// Whether anything in the environment, or pinned by the lock file, determines a CUDA line.
bool hasCuda(const core::PythonEnvironment &environment);
bool hasCuda(const core::LockReading &lock);

/// Sets line, release and libraries of \p target from what is installed or locked, as resolve()
/// describes, and for an environment its site-packages. Every other runtime among \p requirements
/// must match. \p place is the requirement that names the environment or lock file.
llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &place,
                         const core::PythonEnvironment &environment, core::Target &target);
llvm::Error resolvePlace(llvm::ArrayRef<DeclaredRequirement> requirements,
                         const DeclaredRequirement &place, const core::LockReading &lock,
                         core::Target &target);

} // namespace cudacc::resolve
