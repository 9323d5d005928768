// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::ninja {

/// What `nvcc --dryrun` printed on stderr.
struct Dryrun {
  /// Variables that nvcc sets for the commands, in order; a later one replaces an earlier one.
  std::vector<std::pair<std::string, std::string>> variables;
  /// Commands for /bin/sh, as nvcc starts them, and its own pseudo-commands (`-- Filter ... --`).
  std::vector<std::string> commands;
  /// nvcc's own diagnostics, with line ends; they come before those of the commands.
  std::string diagnostics;
};
Dryrun readDryrun(llvm::StringRef text);

/// A word of a command for /bin/sh.
struct CommandWord {
  /// Without quotes and escapes, with variables replaced.
  std::string value;
  /// Where it lies in the command, with its quotes.
  size_t begin = 0, end = 0;
  /// False if only the shell can say what it is: a command substitution, an unknown variable, an
  /// operator or a pattern.
  bool isKnown = true;
};
/// Splits \p command as /bin/sh does. std::nullopt if a quote is not closed.
std::optional<std::vector<CommandWord>>
splitCommand(llvm::StringRef command,
             llvm::ArrayRef<std::pair<std::string, std::string>> variables);

} // namespace cudacc::ninja
