// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::policy {

/// The CUDA line in the name of a file that is made once per line: `libbitsandbytes_cuda124.so`,
/// `_C_cu12.so`.
struct LineToken {
  unsigned major = 0;
  /// Not set: the name has the major only.
  std::optional<unsigned> minor;
  /// The path with a `*` in place of the number.
  std::string pattern;
};
/// Nothing where the file's name has no token `cudaNNN` or `cuNNN` of its own: letters and digits
/// around it make it a part of another word. Of several the last counts.
std::optional<LineToken> lineTokenOf(llvm::StringRef path);

/// Files that differ in the line of their names only: one of them is loaded.
struct Alternatives {
  std::string pattern;
  /// Indices into the paths, as given; two at least.
  std::vector<size_t> files;
  std::vector<LineToken> tokens;

  /// Which of `files` serves a runtime of that line: the one of the line, else the newest of the
  /// major that is not newer, else the one that names the major only. Nothing: none is for it.
  std::optional<size_t> fileFor(versions::CudaVersion line) const;
};
std::vector<Alternatives> alternativesAmong(llvm::ArrayRef<std::string> paths);

} // namespace cudacc::policy
