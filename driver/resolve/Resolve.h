// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Lock.h"
#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::resolve {

/// What lies in the environment of `env:PATH`; \p path is empty for `env`, the active one. Asked
/// only where one is declared.
using EnvironmentReader =
    llvm::function_ref<llvm::Expected<core::PythonEnvironment>(llvm::StringRef path)>;

/// The pins of the lock at \p path for Linux on x86-64. Asked only where one is declared.
using LockReader = llvm::function_ref<llvm::Expected<core::LockReading>(llvm::StringRef path)>;

/// The declaration as a set of per-library versions (TG-1). Nothing declared: an undeclared target
/// with the mode. Errors: BadRequirement, SpansMajors (F13), UnknownRelease (F16), Constraint
/// (V-CN-09), DriverRelease, EvidenceConflict, and what the readers fail
/// with.
///
/// A CUDA range is its floor, the lowest known line that satisfies it; `cuda==12.4` is the
/// line 12.4 with the components of its first release, `cuda==12.4.1` that release. A torch range
/// has the oldest version of each library over all known releases in it, and only the libraries
/// that all of them have.
///
/// With an environment the rows are the libraries that are installed there, with their versions and
/// files, and no others: what it lacks no loader finds in it, whatever its line usually has.
/// Further requirements must hold for what is installed. Its line is that of its CUDA runtime, else
/// of its torch, else the lowest of its CUDA libraries. An environment without CUDA beside a `cuda`
/// requirement says nothing about CUDA, and the requirement is taken from the tables.
///
/// With a lock the rows are the libraries of what it pins, and beyond them what its torch asks for;
/// its line is found as that of an environment. A library of which it has two versions that may
/// both be meant has a row without version.
///
/// Releases are those of the tables and, where there is one, of the facts file (F16).
///
/// GPUs and a driver alone are no declaration: they say on what machines something runs, not with
/// which libraries.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration, EnvironmentReader read,
                                     LockReader readLock, const tables::UserTables *more = nullptr);
/// For declarations of which it is known that they name no lock; one that does is refused.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration, EnvironmentReader read,
                                     const tables::UserTables *more = nullptr);
/// For declarations of which it is known that they name no environment either; one that does is
/// refused.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration,
                                     const tables::UserTables *more = nullptr);

} // namespace cudacc::resolve
