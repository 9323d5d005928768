// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include <vector>

namespace cudacc::commands {

/// What build systems cannot determine from a compiler for another machine.
struct CrossTools {
  /// What lies beside it under its prefix, by the word that Meson has for it: Meson takes those of
  /// this machine else, which do not know the objects.
  std::vector<std::pair<std::string, std::string>> binutils;
  /// The prefix of that machine's own libraries (`/usr/aarch64-linux-gnu`); empty: it has none.
  std::string root;
};

/// What lies in a toolchain directory for people and for build systems
/// (docs/spec/toolchain-directory.md): the target, and what projects and shells include. \p toolkit
/// may be null.
std::vector<core::TreeEntry> writtenFiles(const core::ToolchainDirectory &directory,
                                          const core::Target &target, const core::Toolkit *toolkit,
                                          const CrossTools &cross);

} // namespace cudacc::commands
