// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::versions {

/// A requirement whose versions stand in files: `env`, `env:PATH`, `lock:PATH`.
struct PlaceRequirement {
  enum class Kind { Environment, Lock };
  Kind kind = Kind::Environment;
  /// As written, trimmed; empty: `env` alone, or a mistake. Refers to the text.
  llvm::StringRef path;
  /// `env` alone: the active environment.
  bool isActive = false;

  /// Nothing: another requirement.
  static std::optional<PlaceRequirement> parse(llvm::StringRef text);
  /// The same kind of requirement for \p path.
  std::string at(llvm::StringRef path) const;
};

} // namespace cudacc::versions
