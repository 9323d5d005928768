// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/resolve/PlaceLine.h"
#include "llvm/ADT/ArrayRef.h"

/// Errors of declarations with an environment or a lock file.
namespace cudacc::resolve {

/// F16: nothing in the environment determines a CUDA line.
llvm::Error noCuda(const DeclaredRequirement &env, const core::PythonEnvironment &environment);
/// The environment has a CUDA runtime of unknown version.
llvm::Error unknownRuntime(const DeclaredRequirement &env,
                           const core::PythonEnvironment &environment,
                           const core::InstalledLibrary &library);
/// The environment or lock file has runtimes of several CUDA majors, and nothing says which one is
/// meant.
llvm::Error severalMajors(const DeclaredRequirement &place, std::vector<core::Fact> has,
                          llvm::ArrayRef<PlaceLine> lines);
/// V-CN-09: another requirement contradicts what is installed or locked. One of the requirements
/// names the environment or lock file; \p found: `torch 2.5.1`, `no jax`.
llvm::Error differs(llvm::ArrayRef<DeclaredRequirement> requirements, llvm::StringRef found,
                    std::vector<core::Fact> has);
/// F16: nothing that the lock file pins determines a CUDA line. \p torch: its pin of torch; empty
/// if there is none. \p withoutCuda: that torch has no CUDA for the machine.
llvm::Error noLockedCuda(const DeclaredRequirement &place, const core::LockReading &lock,
                         std::string torch, bool withoutCuda = false);
/// Only GPUs or a driver are declared.
llvm::Error onlyMachines(llvm::ArrayRef<DeclaredRequirement> requirements);
/// More than one environment or lock file is declared.
llvm::Error severalEnvironments(llvm::ArrayRef<DeclaredRequirement> requirements);

} // namespace cudacc::resolve
