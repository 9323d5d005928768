// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
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
  /// std::nullopt if the name has the major only.
  std::optional<unsigned> minor;
  /// The path with a `*` in place of the number.
  std::string pattern;
};
/// std::nullopt if the file's name has no token `cudaNNN` or `cuNNN`, delimited by characters other
/// than letters and digits. If there are several, the last one counts.
std::optional<LineToken> lineTokenOf(llvm::StringRef path);

/// Files whose names differ only in the CUDA line; the package loads one of them.
struct Alternatives {
  std::string pattern;
  /// Indices into the paths given to alternativesAmong(); at least two.
  std::vector<size_t> files;
  std::vector<LineToken> tokens;

  /// The index of the file that serves a runtime of that line: the one for the line, else the
  /// newest one for an older minor of the major, else the one that names only the major.
  /// std::nullopt if there is none.
  std::optional<size_t> fileFor(versions::CudaVersion line) const;
  /// Says that there is none.
  core::Finding noneFor(versions::CudaVersion line) const;
  /// All files, by the line in their names.
  std::vector<size_t> newestFirst() const;
};
std::vector<Alternatives> alternativesAmong(llvm::ArrayRef<std::string> paths);

} // namespace cudacc::policy
