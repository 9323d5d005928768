// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Invocation.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::core {

llvm::StringRef str(Role role) {
  static constexpr llvm::StringLiteral words[] = {"front", "launcher", "masquerade", "tool"};
  return versions::entryOf<Role::Tool>(words, role);
}

llvm::StringRef str(Dialect dialect) {
  static constexpr llvm::StringLiteral words[] = {"nvcc", "gcc", "clang"};
  return versions::entryOf<Dialect::Clang>(words, dialect);
}

llvm::StringRef str(CallKind kind) {
  static constexpr llvm::StringLiteral words[] = {
      "probe",   "preprocess", "compile", "device link", "relocatable link",
      "archive", "link",       "run"};
  return versions::entryOf<CallKind::Run>(words, kind);
}

} // namespace cudacc::core
