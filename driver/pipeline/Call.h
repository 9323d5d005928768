// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cli/OwnOptions.h"
#include "driver/config/Config.h"
#include "driver/core/Declaration.h"
#include "driver/core/Invocation.h"
#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Nested.h"
#include "driver/pipeline/System.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace cudacc::pipeline {

using cli::Stage;

/// One compiler call with everything declared about it, before toolkit, headers and libraries are
/// searched for.
struct Call {
  core::Invocation invocation;
  Stage print = Stage::None;
  Nested nested;
  /// The toolchain directory that the running program lies in; std::nullopt if none.
  std::optional<core::ToolchainDirectory> directory;
  core::Declaration declaration;
  config::SearchNotes searched;
  ResolvedCompiler compiler;
  /// The nvcc that a wrapper of another name starts; empty if there is none or it is not known.
  std::string nvccBehind;
  /// Include directory of the named toolchain directory, which the compiler searches last; empty if
  /// it is not added.
  std::string ownHeaders;

  bool isNvcc() const { return invocation.dialect == core::Dialect::Nvcc; }
  bool isLink() const { return invocation.kind == core::CallKind::Link; }
  const core::ToolchainDirectory *in() const { return directory ? &*directory : nullptr; }
  /// The toolchain directory was created by the user, not by cuda-cc in its own store.
  bool isNamed() const { return directory && !directory->anonymous; }
};

/// The stage named by --cudacc-print, else by CUDA_CC_PRINT. Errors: BadValue for an unknown name.
llvm::Expected<Stage> readStage(const core::Invocation &invocation,
                                const core::Environment &environment);

/// The toolchain directory that the running program lies in. `refused` is set if it is not trusted.
struct CallDirectory {
  std::optional<core::ToolchainDirectory> directory;
  std::optional<core::Finding> refused;
};
/// Looks for a toolchain directory in the parent of the program's `bin` (R11). Errors:
/// UnreadableFile if it is damaged.
llvm::Expected<CallDirectory> findDirectory(System &system);
/// If \p refused is set: resets \p directory where the call \p goesOn without it, else returns the
/// finding as an error.
llvm::Error admit(std::optional<core::ToolchainDirectory> &directory,
                  std::optional<core::Finding> refused, bool goesOn);

/// The compiler of a toolchain directory that cuda-cc is the launcher of, as where both CXX and a
/// linker launcher are set, or where a name is that of a directory which is activated. It is a
/// cuda-cc that knows its target, so it does the work (R40). std::nullopt for all other calls.
std::optional<std::string> shimBehind(System &system, const core::Invocation &invocation);
/// Executes that compiler with the arguments of \p argv. Returns only on error.
llvm::Error startShim(System &system, const std::string &shim, const core::Invocation &invocation,
                      llvm::ArrayRef<llvm::StringRef> argv);

/// CUDA_CC_DISABLE is set, and nothing requires a runtime.
bool isDisabled(const System &system, const Call &call);
/// True if the call is not checked and the compiler gets it unchanged: a query, a host compile
/// below an nvcc whose call is already checked, or a link that an outer cuda-cc checks.
bool isUnjudged(const System &system, const Call &call);

/// The declaration for the call from options, variables, files and the toolchain directory. \p
/// searched is filled as far as the search got, also on error.
llvm::Expected<core::Declaration> readSettings(System &system, const Call &call,
                                               config::SearchNotes &searched);

/// Adds the named directory's headers behind all other include directories, so that no other
/// include changes. A direct call of its host compiler then finds the headers that nvcc would.
void addOwnHeaders(const System &system, Call &call);

/// nvcc links device code in this call, with the runtime's nvJitLink (setting device-linker).
bool linksByRuntime(const Call &call);

/// True if a runtime is declared, or if a link needs work without one: it always gets a manifest,
/// its directory has libraries of its own, or CMake uses it to determine how to link.
bool hasWork(const Call &call);

/// The compiler with the caller's arguments unchanged.
core::Command plainCommand(const Call &call);

} // namespace cudacc::pipeline
