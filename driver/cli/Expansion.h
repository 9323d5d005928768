// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace cudacc::cli {

/// Limits on all response files of one call together.
struct ExpansionLimits {
  /// Nesting of nvcc's options files.
  unsigned depth = 64;
  /// Number of `@file`s, as in gcc 12, where a loop exceeds it and ends in gcc's own error.
  unsigned hostFiles = 2000;
  uint64_t bytes = 256 << 20;
  uint64_t words = 4 << 20;
};

/// Reads response files. Error: Code::BrokenResponseFile if a limit is exceeded.
class Expansion {
public:
  Expansion(core::Dialect dialect, core::Files &files, llvm::BumpPtrAllocator &arena,
            ExpansionLimits limits = {})
      : dialect(dialect), files(files), arena(arena), limits(limits) {}

  /// Replaces each `@FILE` in \p words by the words of the file, recursively; all paths are
  /// relative to the working directory. A file that cannot be read or is no regular file (reading a
  /// pipe would leave nothing for the compiler) is left as `@FILE`. The words of clang's
  /// configuration files come first.
  llvm::Error expandHost(std::vector<core::Word> &words);

  /// Appends the words of a clang configuration file, with those of the files that it names.
  llvm::Error appendConfig(llvm::StringRef path, std::vector<core::Word> &out);

  /// The first file that could not be read: a pipe or the like, or one that clang searches for.
  const std::optional<core::UnreadWords> &unreadWords() const { return unread; }

  /// The words of an nvcc options file, not expanded further. std::nullopt if it cannot be read.
  llvm::Expected<std::optional<std::vector<core::Word>>>
  readOptionsFile(llvm::StringRef path, const core::Word &from, unsigned depth);

private:
  llvm::Expected<std::optional<llvm::StringRef>> read(llvm::StringRef path);
  void noteUnread(std::string what, std::string fix);
  llvm::Error addConfigs(std::vector<core::Word> &words);
  llvm::Error count(llvm::StringRef path, size_t words);
  llvm::Error appendHost(const core::Word &word, std::vector<core::Word> &out);

  const core::Dialect dialect;
  core::Files &files;
  llvm::BumpPtrAllocator &arena;
  const ExpansionLimits limits;
  uint64_t bytes = 0, words = 0;
  unsigned hostFiles = 0;
  std::optional<core::UnreadWords> unread;
};

} // namespace cudacc::cli
