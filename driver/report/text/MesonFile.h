// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "llvm/ADT/ArrayRef.h"

namespace cudacc::report {

/// A file for `meson setup --native-file`, or with \p machine (`aarch64`) for `--cross-file`. nvcc
/// is the directory's, C and C++ use its launcher, \p binutils are named as they are. Paths are
/// absolute because Meson before 1.3 cannot refer to the file's own folder.
std::string mesonFile(const core::ToolchainDirectory &directory, llvm::StringRef machine,
                      llvm::ArrayRef<std::pair<std::string, std::string>> binutils = {});

} // namespace cudacc::report
