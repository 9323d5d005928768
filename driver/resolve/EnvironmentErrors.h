// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "llvm/ADT/ArrayRef.h"

/// Why a declaration with an environment or a lock has no target.
namespace cudacc::resolve {

/// F16: nothing in it tells a CUDA line.
llvm::Error noCuda(const DeclaredRequirement &env, const core::PythonEnvironment &environment);
/// A CUDA runtime lies there, and nothing tells which.
llvm::Error unknownRuntime(const DeclaredRequirement &env,
                           const core::PythonEnvironment &environment,
                           const core::InstalledLibrary &library);
/// Runtimes of several CUDA majors in the place, and nothing tells which one is meant.
llvm::Error severalMajors(const DeclaredRequirement &place, std::vector<core::Fact> has);
/// V-CN-09: another requirement does not hold for what is installed or locked. One of the
/// requirements names that place; \p found: `torch 2.5.1`, `no jax`.
llvm::Error differs(llvm::ArrayRef<DeclaredRequirement> requirements, llvm::StringRef found,
                    std::vector<core::Fact> has);
/// F16: nothing that the lock pins tells a CUDA line. \p torch is its pin; empty: it has none.
/// \p withoutCuda: that torch has none for the machine.
llvm::Error noLockedCuda(const DeclaredRequirement &place, const core::LockReading &lock,
                         std::string torch, bool withoutCuda = false);
/// Only GPUs or a driver are declared.
llvm::Error onlyMachines(llvm::ArrayRef<DeclaredRequirement> requirements);
/// `env:A` and `env:B`, or `lock:A`.
llvm::Error severalEnvironments(llvm::ArrayRef<DeclaredRequirement> requirements);

} // namespace cudacc::resolve
