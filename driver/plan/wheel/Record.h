// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::plan {

/// A line of a wheel's RECORD.
struct RecordRow {
  std::string path;
  /// `sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU`; empty for RECORD itself.
  std::string digest;
  /// Decimal; empty for RECORD itself.
  std::string size;
};

/// Parses CSV with `"` as its quote. std::nullopt if a line has not three fields, a quote is not
/// closed, or a path occurs twice.
std::optional<std::vector<RecordRow>> parseRecord(llvm::StringRef text);
std::string printRecord(llvm::ArrayRef<RecordRow> rows);

} // namespace cudacc::plan
