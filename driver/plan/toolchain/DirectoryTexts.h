// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::plan {

/// A file of a toolchain directory that is the same in all of them, but for words between `@`.
struct DirectoryText {
  /// Inside the directory.
  llvm::StringLiteral path;
  llvm::StringLiteral text;
};

/// The rows of CMakeLists.txt here, embedded.
llvm::ArrayRef<DirectoryText> directoryTexts();

/// The file as it lies in \p directory: `@DIR:sh@` is its place as a word of sh and csh, `@CC@` and
/// `@CXX@` its compilers' names.
core::TreeEntry filled(const DirectoryText &text, const core::ToolchainDirectory &directory);

} // namespace cudacc::plan
