// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::support {

/// Quotes a word for sh and csh, with single quotes if needed.
std::string shellWord(llvm::StringRef word);

/// The simple commands of a line for sh, in order, as in Ninja files and link scripts: separated by
/// `&&`, `||`, `;`, `|` and `&`, words without their quotes, without redirections. Nothing is
/// expanded.
std::vector<std::vector<std::string>> splitShellLine(llvm::StringRef line);

} // namespace cudacc::support
