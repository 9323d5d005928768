#pragma once

#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include <vector>

namespace cudacc::tools {

/// What lies in a toolchain directory for people and for build systems (build-systems.md 5.2): the
/// target, and what projects and shells include. \p toolkit may be null. \p machine: `x86_64`,
/// `aarch64`.
std::vector<core::TreeEntry> writtenFiles(const core::ToolchainDirectory &directory,
                                          const core::Target &target, const core::Toolkit *toolkit,
                                          llvm::StringRef machine);

} // namespace cudacc::tools
