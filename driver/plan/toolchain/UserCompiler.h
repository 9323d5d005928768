// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

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

  llvm::SmallVector<llvm::StringRef, 4> words(const core::Environment &environment) const;
  /// The compiler among the words, which is behind launchers.
  llvm::StringRef compiler(const core::Environment &environment) const;
};

/// The words of a call under such a name as a call of `cuda-cc`; \p argv itself for all others. \p
/// program keeps the first word.
llvm::SmallVector<llvm::StringRef, 64> withUserCompiler(llvm::ArrayRef<llvm::StringRef> argv,
                                                        const core::Environment &environment,
                                                        std::string &program);

} // namespace cudacc::plan
