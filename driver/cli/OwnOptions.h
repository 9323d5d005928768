// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::cli {

/// Moves the words that begin with --cudacc- from \p words (without argv[0]) to \p own and returns
/// the remaining words.
llvm::Expected<std::vector<llvm::StringRef>> takeOwnOptions(llvm::ArrayRef<llvm::StringRef> words,
                                                            core::OwnOptions &own);

/// All --cudacc- options, for "did you mean" and shell completion: those of settings.def, and
/// `--cudacc-print`, `--cudacc-help` and `--cudacc-no-manifest`.
std::vector<std::string> ownOptionNames();

/// The stage that --cudacc-print names. The call ends after printing it, except for Facts: a link
/// prints the facts of its output and goes on.
enum class Stage { None, Invocation, Target, Toolkit, Verdict, Plan, Facts };
/// The name as --cudacc-print takes it, such as `plan`; empty for Stage::None.
llvm::StringRef str(Stage stage);
/// Stage::None for an empty name.
std::optional<Stage> stageOf(llvm::StringRef name);
/// All names, separated by \p separator.
std::string stageNames(llvm::StringRef separator);

} // namespace cudacc::cli
