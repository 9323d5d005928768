// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::versions {

/// A requirement whose versions are read from files: `env`, `env:PATH`, `lock:PATH`.
struct PlaceRequirement {
  enum class Kind { Environment, Lock };
  Kind kind = Kind::Environment;
  /// As written, trimmed. Empty for `env` alone or for a missing path. Points into the text.
  llvm::StringRef path;
  /// `env` alone: the active environment.
  bool isActive = false;

  /// std::nullopt for any other requirement.
  static std::optional<PlaceRequirement> parse(llvm::StringRef text);
  /// The same kind of requirement with \p path.
  std::string at(llvm::StringRef path) const;
};

} // namespace cudacc::versions
