#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::buildsys {

/// Lexical: build systems write paths without `..` but in front.
std::string absolute(llvm::StringRef folder, llvm::StringRef path);
bool isBelow(llvm::StringRef path, llvm::StringRef folder);
llvm::StringRef nameOf(llvm::StringRef path);

} // namespace cudacc::buildsys
