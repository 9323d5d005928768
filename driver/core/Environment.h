// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// The environment as a value: `NAME=value` entries in their original order. The strings of the
/// real environment live as long as the process.
struct Environment {
  std::vector<llvm::StringRef> entries;

  /// Value of the first entry with that name. An empty value counts as set.
  std::optional<llvm::StringRef> get(llvm::StringRef name) const;
  /// The value if it is set and not empty, else \p fallback.
  llvm::StringRef getOr(llvm::StringRef name, llvm::StringRef fallback = "") const {
    auto value = get(name);
    return value && !value->empty() ? *value : fallback;
  }
  /// True if the variable is set, not empty and not 0.
  bool isOn(llvm::StringRef name) const { return getOr(name, "0") != "0"; }
};

} // namespace cudacc::core
