// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::cli {

/// Takes the words that begin with --cudacc- among the first \p count of \p words (without argv[0])
/// into \p own. Returns the other words: \p words itself if there is none, else a copy in \p arena.
llvm::Expected<llvm::ArrayRef<llvm::StringRef>>
takeOwnOptions(llvm::ArrayRef<llvm::StringRef> words, size_t count, core::OwnOptions &own,
               llvm::BumpPtrAllocator &arena);

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
