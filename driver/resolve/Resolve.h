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

/// Reads the environment of `env:PATH`; \p path is empty for `env`, the active one. Called only if
/// one is declared.
using EnvironmentReader =
    llvm::function_ref<llvm::Expected<core::PythonEnvironment>(llvm::StringRef path)>;

/// Reads the pins of the lock file at \p path for Linux on x86-64. Called only if one is declared.
using LockReader = llvm::function_ref<llvm::Expected<core::LockReading>(llvm::StringRef path)>;

/// Resolves a declaration to a set of per-library versions (TG-1). If nothing is declared, the
/// target is undeclared and has only the mode. Errors: BadRequirement, SpansMajors (F13),
/// UnknownRelease (F16), Constraint (V-CN-09), DriverRelease, EvidenceConflict, and errors of the
/// readers.
///
/// A CUDA range resolves to its floor, the lowest known line that satisfies it; `cuda==12.4` is the
/// line 12.4 with the components of its first release, `cuda==12.4.1` that release. A torch range
/// has the oldest version of each library over all known releases in it, and only the libraries
/// that all of them have.
///
/// With an environment the rows are exactly the libraries installed there, with their versions and
/// files: the loader finds no others, whatever the line usually has. Further requirements must
/// match what is installed. Its line is that of its CUDA runtime, else of its torch, else the
/// lowest of its CUDA libraries. If the environment has no CUDA and a `cuda` requirement is
/// declared too, that requirement is resolved from the tables.
///
/// With a lock file the rows are the libraries of its pins, and further ones that its torch
/// requires; the line is found as for an environment. A library with two pinned versions that may
/// both be meant has a row without version.
///
/// Releases are those of the tables and of the user's facts file, if there is one (F16).
///
/// GPUs and a driver alone are no declaration: they name machines, not libraries.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration, EnvironmentReader read,
                                     LockReader readLock, const tables::UserTables *more = nullptr);
/// For declarations that are known to name no lock file; others are rejected.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration, EnvironmentReader read,
                                     const tables::UserTables *more = nullptr);
/// For declarations that are known to name neither an environment nor a lock file; others are
/// rejected.
llvm::Expected<core::Target> resolve(const core::Declaration &declaration,
                                     const tables::UserTables *more = nullptr);

/// The GPUs and the driver of a declaration that has nothing else, for what links for machines and
/// not for a runtime: a target without a line that is not declared. std::nullopt if it has a
/// runtime, or nothing. Errors: as resolve().
llvm::Expected<std::optional<core::Target>> resolveMachines(const core::Declaration &declaration);

} // namespace cudacc::resolve
