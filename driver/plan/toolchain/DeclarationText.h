// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// The TOML line `runtime = "torch==2.5.1"`, with a list if there are several; with \p inProject
/// below the table header `[tool.cuda-cc]`.
std::string declarationLines(const std::vector<std::string> &runtime, bool inProject);

/// Appends \p lines to the TOML file \p text after a blank line, with the file's line ends. The
/// existing bytes stay unchanged.
std::string withLines(llvm::StringRef text, llvm::StringRef lines);

} // namespace cudacc::plan
