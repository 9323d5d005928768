// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/ToolchainDirectory.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace cudacc::commands {

/// What the command lines of subcommands have in common. One with options of its own has a struct
/// that derives from this.
struct Arguments {
  /// Positional arguments.
  std::vector<std::string> words;
  /// `--format`, and what it means. `config` has `--json` instead.
  std::string format = "text";
  bool json = false, sarif = false;
  /// `--runtime`. For `check`, one runtime per element, its requirements separated by `;`; for
  /// other subcommands, requirements that must all hold.
  std::vector<std::string> runtime;
  /// `--report`: path of the HTML page.
  std::optional<std::string> report;
  /// `--help` or `-h`: print the help and do nothing else.
  bool help = false;
  /// A flag was given with which the subcommand takes words.
  bool takesWords = false;
  core::OwnOptions own;
  /// The toolchain directory that cuda-cc was called in; null if none.
  const core::ToolchainDirectory *directory = nullptr;
};

/// An option of a subcommand.
struct OptionInfo {
  llvm::StringRef name;
  /// The values that completion offers, separated by blanks: words as they are, or the name of a
  /// kind of value in capitals (completion/Values.h), alone or after a word that ends in a colon:
  /// `text json`, `all REQ`, `system:PATH`. Of a flag: the words that the subcommand takes with it.
  llvm::StringRef values;
  bool takesValue = false;
};

/// Reads the command line of a subcommand into \p arguments, and calls \p take with the index of
/// each option in \p options that stands there, and its value. Options are written `--name=value`
/// or `--name value`, `-o` only the latter; `--` ends them. Errors: Usage, and those of \p take.
llvm::Error readArguments(const core::Invocation &call, const core::ToolchainDirectory *directory,
                          llvm::ArrayRef<OptionInfo> options,
                          llvm::function_ref<llvm::Error(size_t, llvm::StringRef)> take,
                          Arguments &arguments);

/// A Usage error whose fix is `cuda-cc help`.
llvm::Error usageError(std::string message);
/// That the value of \p option is none of its words: `--only is cuda, not 'x'`.
llvm::Error notOneOf(llvm::StringRef option, llvm::StringRef words, llvm::StringRef value);

} // namespace cudacc::commands
