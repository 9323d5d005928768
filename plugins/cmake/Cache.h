// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::cmake {

/// The entries of CMakeCache.txt. Unlike the File API reply with the same content, it exists in
/// every build directory of CMake.
class Cache {
public:
  explicit Cache(llvm::StringRef text);
  /// Empty if there is no such entry.
  llvm::StringRef get(llvm::StringRef name) const;

private:
  llvm::StringMap<std::string> entries;
};

} // namespace cudacc::cmake
