// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include <vector>

namespace cudacc::commands {

/// What build systems cannot determine about a compiler for another machine.
struct CrossTools {
  /// Tools beside the compiler with its prefix, by Meson's name for them. Without them Meson uses
  /// those of this machine, which cannot read the objects.
  std::vector<std::pair<std::string, std::string>> binutils;
  /// Prefix of that machine's own libraries (`/usr/aarch64-linux-gnu`); empty if there is none.
  std::string root;
};

/// The files of a toolchain directory for people and build systems
/// (docs/spec/toolchain-directory.md): the target, and what projects and shells include. \p toolkit
/// may be null.
std::vector<core::TreeEntry> writtenFiles(const core::ToolchainDirectory &directory,
                                          const core::Target &target, const core::Toolkit *toolkit,
                                          const CrossTools &cross);

} // namespace cudacc::commands
