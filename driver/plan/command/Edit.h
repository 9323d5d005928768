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

/// Changes to a caller's command line, by index. All other arguments stay unchanged and in place.
struct Edits {
  /// Added before and after all of the caller's arguments.
  std::vector<std::string> prefix, suffix;
  /// Replacements by index into Invocation::words.
  std::map<uint32_t, std::vector<std::string>> replace;
  /// Words to remove: indices into Invocation::words.
  std::set<uint32_t> drop;
  /// Write the words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS to the command line (R10).
  bool mergeVariables = false;
  /// Path prefix for rewriting a host compiler's long response file that is edited; empty to put
  /// its words on the command line, whose length the kernel limits.
  std::string scratch;

  void dropAll(llvm::ArrayRef<uint32_t> words) { drop.insert(words.begin(), words.end()); }
};

/// Adds the edited arguments to \p out. An edited response file is replaced by its words or, beyond
/// 64 KiB, by another one added to \p files; unedited ones stay `@file`.
void apply(const core::Invocation &call, const Edits &edits, core::ArgList &out,
           std::vector<core::PlannedFile> *files = nullptr);

/// Adds the words that include the record's \p header, and those by which nothing else depends on
/// its path: make needs no file that a depfile lists (-MP), as the header may be gone by then, and
/// debug information that lists headers does not differ between users.
void addRecord(const core::Invocation &call, const std::string &header,
               std::vector<std::string> &words);

/// Contents of a response file with these words, quoted as gcc and clang read it.
std::string responseFile(llvm::ArrayRef<std::string> words);

} // namespace cudacc::plan
