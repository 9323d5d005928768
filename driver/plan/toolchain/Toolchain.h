// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/core/ToolkitTree.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// What a toolchain directory is made of.
struct ToolchainContent {
  /// Named by content: equal content, equal name.
  std::string name;
  /// All but the programs.
  std::vector<core::TreeEntry> entries;
  /// Paths inside of copies of the program, all of one inode.
  std::vector<std::string> programs;
  /// Appended to the copies, so that a cache that looks at the bytes of a compiler sees another one
  /// for another target (R26 (a), C5).
  std::string fingerprint;
};

/// \p program identifies the cuda-cc that is copied (version, size, mtime). \p entries: what lies
/// there beside the compilers and the facts. A directory that is named has `bin/cuda-cc` too, and
/// its facts say the fingerprint.
ToolchainContent planToolchain(core::ToolchainDirectory directory, llvm::StringRef program,
                               std::vector<core::TreeEntry> entries = {});

/// Bytes of a fingerprint.
inline constexpr unsigned trailerSize = 20 + 16 + 1;

/// First 16 hex digits of SHA-256.
std::string digest(llvm::StringRef text);

} // namespace cudacc::plan
