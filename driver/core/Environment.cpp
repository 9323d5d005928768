// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Environment.h"

std::optional<llvm::StringRef> cudacc::core::Environment::get(llvm::StringRef name) const {
  for (llvm::StringRef entry : entries)
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
      return entry.substr(name.size() + 1);
  return std::nullopt;
}
