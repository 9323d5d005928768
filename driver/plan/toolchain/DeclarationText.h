#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::plan {

/// `runtime = "torch==2.5.1"`, a list where there are several; its line is ended.
std::string runtimeLine(llvm::ArrayRef<std::string> runtime);

/// \p text, a whole TOML file, with a table `[tool.cuda-cc]` of \p lines behind it: a blank line
/// between, line ends as the file has them, every byte before as it was.
std::string withOwnTable(llvm::StringRef text, llvm::StringRef lines);

} // namespace cudacc::plan
