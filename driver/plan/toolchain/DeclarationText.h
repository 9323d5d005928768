// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// `runtime = "torch==2.5.1"`, a list where there are several, as lines; \p inProject: of the table
/// `[tool.cuda-cc]`, its header first.
std::string declarationLines(const std::vector<std::string> &runtime, bool inProject);

/// \p text, a whole TOML file, with \p lines behind it: a blank line between, line ends as the file
/// has them, every byte before as it was.
std::string withLines(llvm::StringRef text, llvm::StringRef lines);

} // namespace cudacc::plan
