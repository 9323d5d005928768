#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::cmake {

/// Lexical: CMake writes paths without `..` but in front.
std::string absolute(llvm::StringRef folder, llvm::StringRef path);
bool isBelow(llvm::StringRef path, llvm::StringRef folder);
llvm::StringRef nameOf(llvm::StringRef path);
/// `kernels` of `/b/sub/CMakeFiles/kernels.dir/k.cu.o`: the target that CMake compiles it for;
/// empty: for none.
llvm::StringRef targetOfObject(llvm::StringRef path);

} // namespace cudacc::cmake
