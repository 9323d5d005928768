// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::cmake {

/// One command of a file in CMake's language as CMake writes it: arguments without quotes, escapes
/// resolved, variable references kept. Inner parentheses are arguments.
struct ScriptCommand {
  std::string name;
  std::vector<std::string> arguments;

  /// The argument after \p keyword; empty if there is none.
  llvm::StringRef after(llvm::StringRef keyword) const;
  bool has(llvm::StringRef keyword) const;
};

/// Calls \p onCommand for every command of \p text, including those in conditions. Skips everything
/// else.
void readScript(llvm::StringRef text, llvm::function_ref<void(const ScriptCommand &)> onCommand);

} // namespace cudacc::cmake
