// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Exported.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::core {

/// A version node that an object requires from a file (verneed).
struct VersionNeed {
  std::string file, node;
  bool isWeak = false;
};

/// What the files that a process can see export. Paths are absolute.
class Exports {
public:
  virtual ~Exports() = default;

  /// Whether the file exports \p symbol; \p node is the version node that the importer requires,
  /// empty if none. Unknown if the file cannot be read.
  virtual versions::Exported exported(llvm::StringRef path, llvm::StringRef symbol,
                                      llvm::StringRef node) = 0;
  /// Whether the file has version information (DT_VERSYM, with the tables that belong to it);
  /// std::nullopt if it cannot be read.
  virtual std::optional<bool> versioned(llvm::StringRef path) = 0;
};

} // namespace cudacc::core
