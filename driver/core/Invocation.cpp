// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Invocation.h"

namespace cudacc::core {

llvm::StringRef str(Role role) {
  static constexpr llvm::StringLiteral words[] = {"front", "launcher", "masquerade", "tool"};
  return words[size_t(role)];
}

llvm::StringRef str(Dialect dialect) {
  static constexpr llvm::StringLiteral words[] = {"nvcc", "gcc", "clang"};
  return words[size_t(dialect)];
}

llvm::StringRef str(CallKind kind) {
  static constexpr llvm::StringLiteral words[] = {
      "probe",   "preprocess", "compile", "device link", "relocatable link",
      "archive", "link",       "run"};
  return words[size_t(kind)];
}

} // namespace cudacc::core
