// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::report {

/// What `meson setup --native-file` takes, and with a \p machine (`aarch64`) what `--cross-file`
/// does: nvcc is the directory's, C and C++ go through its launcher, \p binutils are named as they
/// are. Meson before 1.3 knows no name for the file's own folder, so the paths are absolute.
std::string mesonFile(const core::ToolchainDirectory &directory, llvm::StringRef machine,
                      llvm::ArrayRef<std::pair<std::string, std::string>> binutils = {});

} // namespace cudacc::report
