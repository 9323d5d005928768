#pragma once

#include "driver/core/Files.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace cudacc::run {

/// Makes a directory whole or not at all: beside its place, then renamed. When another process was
/// first, its directory is taken. Programs are copies of \p self with \p trailer behind their last
/// byte, one inode for all.
llvm::Error makeDirectory(core::Files &files, llvm::StringRef path,
                          llvm::ArrayRef<std::pair<std::string, std::string>> texts,
                          llvm::ArrayRef<std::string> programs, llvm::StringRef self,
                          llvm::StringRef trailer);

} // namespace cudacc::run
