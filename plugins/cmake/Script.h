// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::cmake {

/// One command of a file in CMake's language, as CMake itself writes them: arguments without their
/// quotes, escapes resolved, variable references as they stand. Parentheses inside are arguments.
struct ScriptCommand {
  std::string name;
  std::vector<std::string> arguments;

  /// The argument behind \p keyword; empty: there is none.
  llvm::StringRef after(llvm::StringRef keyword) const;
  bool has(llvm::StringRef keyword) const;
};

/// Calls \p onCommand for every command of \p text, those inside conditions too. What is no command
/// is passed over.
void readScript(llvm::StringRef text, llvm::function_ref<void(const ScriptCommand &)> onCommand);

} // namespace cudacc::cmake
