#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::plan {

/// A file of a toolchain directory that is the same in all of them.
struct DirectoryText {
  /// Inside the directory.
  llvm::StringLiteral path;
  llvm::StringLiteral text;
};

/// The rows of CMakeLists.txt here, embedded.
llvm::ArrayRef<DirectoryText> directoryTexts();

} // namespace cudacc::plan
