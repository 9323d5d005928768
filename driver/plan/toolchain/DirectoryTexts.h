// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/core/ToolkitTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::plan {

/// A file with the same text in every toolchain directory, except for placeholders such as `@CC@`.
struct DirectoryText {
  /// Relative to the directory.
  llvm::StringLiteral path;
  llvm::StringLiteral text;
};

/// The files listed in this library's CMakeLists.txt, embedded.
llvm::ArrayRef<DirectoryText> directoryTexts();

/// The file for \p directory: replaces `@DIR:sh@` by its path, quoted, `@CC@` and
/// `@CXX@` by the names of its compilers, `@CC:sh@` and `@CXX:sh@` by the paths behind these,
/// quoted.
core::TreeEntry filled(const DirectoryText &text, const core::ToolchainDirectory &directory);

} // namespace cudacc::plan
