// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace cudacc::cli {

/// What the response files of one call may come to, together.
struct ExpansionLimits {
  /// nvcc's options files.
  unsigned depth = 64;
  /// `@file`s in all, as gcc 12 has it: there a loop ends in its own error.
  unsigned hostFiles = 2000;
  uint64_t bytes = 256 << 20;
  uint64_t words = 4 << 20;
};

/// Reads response files. What goes over the limits is Code::BrokenResponseFile.
class Expansion {
public:
  Expansion(core::Dialect dialect, core::Files &files, llvm::BumpPtrAllocator &arena,
            ExpansionLimits limits = {})
      : dialect(dialect), files(files), arena(arena), limits(limits) {}

  /// Replaces every `@FILE` in \p words by the words of the file, nested ones too, both relative to
  /// the working directory. What cannot be read, or is no regular file (reading a pipe would take
  /// it away from the compiler), stays as it is.
  llvm::Error expandHost(std::vector<core::Word> &words);

  /// The words of an nvcc options file, not expanded further; nothing when it cannot be read.
  llvm::Expected<std::optional<std::vector<core::Word>>>
  readOptionsFile(llvm::StringRef path, const core::Word &from, unsigned depth);

private:
  llvm::Expected<std::optional<llvm::StringRef>> read(llvm::StringRef path);
  llvm::Error count(llvm::StringRef path, size_t words);
  llvm::Error appendHost(const core::Word &word, std::vector<core::Word> &out);

  const core::Dialect dialect;
  core::Files &files;
  llvm::BumpPtrAllocator &arena;
  const ExpansionLimits limits;
  uint64_t bytes = 0, words = 0;
  unsigned hostFiles = 0;
};

} // namespace cudacc::cli
