#pragma once

#include "driver/core/ToolchainDirectory.h"
#include <string>
#include <utility>
#include <vector>

namespace cudacc::plan {

/// What a toolchain directory is made of.
struct ToolchainContent {
  /// Named by content: equal content, equal name.
  std::string name;
  /// Relative path -> text.
  std::vector<std::pair<std::string, std::string>> files;
  /// Relative paths of copies of the program, all of one inode.
  std::vector<std::string> programs;
  /// Appended to the copies, so that a cache that looks at the bytes of a compiler sees another one
  /// for another target (R26a, C5).
  std::string fingerprint;
};

/// \p program identifies the cuda-cc that is copied (version, size, mtime).
ToolchainContent planToolchain(const core::ToolchainDirectory &directory, llvm::StringRef program);

/// First 16 hex digits of SHA-256.
std::string digest(llvm::StringRef text);

} // namespace cudacc::plan
