// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cudacc::plan {

/// Changes to a caller's command line, by index. Everything that is not named here stays as the
/// caller wrote it, in place.
struct Edits {
  /// Added in front of and behind all of the caller's words.
  std::vector<std::string> prefix, suffix;
  /// Index into Invocation::words -> the words that stand there instead.
  std::map<uint32_t, std::vector<std::string>> replace;
  /// Indices into Invocation::words.
  std::set<uint32_t> drop;
  /// Write the words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS into the line (R10).
  bool mergeVariables = false;
  /// Where a host compiler's response file that is touched and long is written anew, the beginning
  /// of its path; empty: its words go onto the line, whose length the kernel limits.
  std::string scratch;

  void dropAll(llvm::ArrayRef<uint32_t> words) { drop.insert(words.begin(), words.end()); }
};

/// Adds the edited arguments to \p out. A response file whose words are touched is written
/// out in its place, or, beyond 64 KiB, as another one of \p files; the others stay as `@file`.
void apply(const core::Invocation &call, const Edits &edits, core::ArgList &out,
           std::vector<core::PlannedFile> *files = nullptr);

/// The text of a response file with these words, as gcc and clang read it.
std::string responseFile(llvm::ArrayRef<std::string> words);

} // namespace cudacc::plan
