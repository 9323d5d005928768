// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// The user's own compiler of one language, under one name in a toolchain directory. Its words
/// (`ccache gcc-12`, `clang++ -g`) are in a variable that `activate` sets, since build systems take
/// CC and CXX as one path, and -ccbin of nvcc is one.
struct UserCompiler {
  llvm::StringLiteral name, variable;
  /// What it is without the variable.
  llvm::StringLiteral usual;

  static const UserCompiler all[2];
  /// The one whose name \p path has; null: none.
  static const UserCompiler *find(llvm::StringRef path);

  /// Split at blanks as sh does it, with its quotes; a path with blanks that is a program is one
  /// word, as for CMake.
  std::vector<std::string> words(const core::Environment &environment, core::Files &files) const;
  /// The compiler among \p words, which is behind launchers.
  std::string compiler(llvm::ArrayRef<std::string> words) const;
};

/// The words of a call under such a name, or of one behind cuda-cc and other launchers, as a call
/// of `cuda-cc`; \p argv itself for all others. \p kept keeps the words that are no arguments.
llvm::SmallVector<llvm::StringRef, 64> withUserCompiler(llvm::SmallVector<llvm::StringRef, 64> argv,
                                                        const core::Environment &environment,
                                                        core::Files &files,
                                                        std::vector<std::string> &kept);

} // namespace cudacc::plan
