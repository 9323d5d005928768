// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/core/ToolkitTree.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Contents of a toolchain directory.
struct ToolchainContent {
  /// Derived from the content: equal content has the equal name.
  std::string name;
  /// All entries except the programs.
  std::vector<core::TreeEntry> entries;
  /// Relative paths of the copies of the program, all of one inode.
  std::vector<std::string> programs;
  /// Appended to the copies, so that a compiler cache that hashes the compiler's bytes sees a
  /// different compiler for each target (R26 (a), C5).
  std::string fingerprint;
};

/// \p program: version, size and modification time of the cuda-cc that is copied. \p entries: all
/// entries except the compilers and the directory's own description. A named directory also
/// contains `bin/cuda-cc`, and its description has the fingerprint.
ToolchainContent planToolchain(core::ToolchainDirectory directory, llvm::StringRef program,
                               std::vector<core::TreeEntry> entries = {});

/// Size of a fingerprint in bytes.
inline constexpr unsigned trailerSize = 20 + 16 + 1;

/// First 16 hex digits of SHA-256.
std::string digest(llvm::StringRef text);

} // namespace cudacc::plan
