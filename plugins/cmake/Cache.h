// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::cmake {

/// What CMakeCache.txt says, by name. Present in every build directory of CMake, unlike its reply
/// about the cache, which says the same.
class Cache {
public:
  explicit Cache(llvm::StringRef text);
  /// Empty where there is none.
  llvm::StringRef get(llvm::StringRef name) const;

private:
  llvm::StringMap<std::string> entries;
};

} // namespace cudacc::cmake
