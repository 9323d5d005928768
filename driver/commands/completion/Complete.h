// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/pipeline/System.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::commands {

/// A whole word that may stand where one is being typed. If it ends in `=` or `:`, more follows.
struct CompletionItem {
  std::string value;
  /// One sentence; may be empty.
  std::string meaning;
};

/// Names that the shell itself completes, since it knows `~`, quotes and variables.
struct ShellNames {
  enum class Kind : uint8_t { Files, Directories, Programs };
  Kind kind = Kind::Files;
  /// Length of what stands before the name in the word: 4 for `env:`.
  size_t offset = 0;
  /// Suffixes of the files that are meant, separated by blanks; empty for all. Files without one
  /// may be meant as well.
  llvm::StringRef suffixes;
};

struct Completions {
  std::vector<CompletionItem> candidates;
  std::vector<ShellNames> names;
  /// Index of the word that begins another program's command line.
  std::optional<size_t> command;
};

/// Completes the last one of \p words, which may be empty: a command line up to the cursor, without
/// the program's name. \p arguments: those of the call itself.
Completions complete(pipeline::System &system, const Arguments &arguments,
                     llvm::ArrayRef<std::string> words);

/// What the scripts in `shell` read: a line `VALUE<tab>MEANING` per candidate, then `:files OFFSET
/// SUFFIX...`, `:directories OFFSET`, `:programs OFFSET`, `:command INDEX`.
std::string printed(const Completions &completions);

} // namespace cudacc::commands
