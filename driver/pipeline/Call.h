// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// A stage that --cudacc-print shows instead of going on; `facts`, of a link, is shown on the way.
enum class Stage { None, Invocation, Target, Toolkit, Verdict, Plan, Facts };

/// One call of a compiler with all that is said about it, before anything is looked for.
struct Call {
  core::Invocation invocation;
  Stage print = Stage::None;
  Nested nested;
  /// The toolchain directory that the program was called in; nothing: none.
  std::optional<core::ToolchainDirectory> directory;
  core::Declaration declaration;
  config::SearchNotes searched;
  ResolvedCompiler compiler;
  /// The named directory's headers, where the compiler looks last; empty: it does not.
  std::string ownHeaders;

  bool isNvcc() const { return invocation.dialect == core::Dialect::Nvcc; }
  bool isLink() const { return invocation.kind == core::CallKind::Link; }
  const core::ToolchainDirectory *in() const { return directory ? &*directory : nullptr; }
  /// Called in a toolchain directory that somebody made by name.
  bool isNamed() const { return directory && !directory->anonymous; }
};

/// `plan`; empty: Stage::None.
llvm::StringRef str(Stage stage);
/// The stage that the call, or the user's variable, asks for. Error: BadValue for another word.
llvm::Expected<Stage> readStage(const core::Invocation &invocation,
                                const core::Environment &environment);

/// The toolchain directory that the running program lies in, and why what it says is not obeyed.
struct CallDirectory {
  std::optional<core::ToolchainDirectory> directory;
  std::optional<core::Finding> refused;
};
/// A compiler of a toolchain directory finds it above its own folder (R11). Error: it is damaged.
llvm::Expected<CallDirectory> findDirectory(System &system);
/// A directory that was \p refused stops the call, or, where that \p goesOn all the same, is left
/// out of account.
llvm::Error admit(std::optional<core::ToolchainDirectory> &directory,
                  std::optional<core::Finding> refused, bool goesOn);

/// A launcher in front of a toolchain directory's compiler, as where CXX and a linker launcher are
/// both set: that compiler is cuda-cc and knows its target; it does the work (R40).
bool standsBeforeShim(System &system, const core::Invocation &invocation);
/// Starts it with the words of \p argv; does not return but with an error.
llvm::Error startShim(System &system, const core::Invocation &invocation,
                      llvm::ArrayRef<llvm::StringRef> argv);

/// CUDA_CC_DISABLE is obeyed: nothing requires a runtime.
bool isDisabled(const System &system, const Call &call);
/// A question to the compiler, a step below nvcc whose front has judged the call, a link that
/// another cuda-cc further out judges: the compiler gets it as it is.
bool isUnjudged(const System &system, const Call &call);

/// What is declared for the call by options, variables, files and the directory it is made in.
/// \p searched is filled as far as it came.
llvm::Expected<core::Declaration> readSettings(System &system, const Call &call,
                                               config::SearchNotes &searched);

/// The named directory's headers stand behind all that the compiler finds elsewhere, so that
/// nothing else changes; a call of the same compiler by its own path then finds what an nvcc would.
void addOwnHeaders(const System &system, Call &call);

/// A runtime is declared; or a link is to have a manifest all the same, is made in a directory with
/// libraries of its own, or is the one by which CMake learns what to link with.
bool hasWork(const Call &call);

/// The compiler with the caller's own words.
core::Command plainCommand(const Call &call);

} // namespace cudacc::pipeline
