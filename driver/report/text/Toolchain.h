// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/ToolchainDirectory.h"
#include "driver/core/Toolkit.h"
#include "driver/core/ToolkitTree.h"
#include "driver/report/text/Layout.h"

namespace cudacc::report {

/// The result of `toolchain`, or what it would do.
struct DirectoryReport {
  /// "made", "made again", "up to date", "would make", "matches".
  llvm::StringRef did;
  const core::ToolchainDirectory *directory = nullptr;
  /// `target` is null if no runtime is declared, `toolkit` if there is no nvcc.
  const core::Target *target = nullptr;
  const core::Toolkit *toolkit = nullptr;
  llvm::ArrayRef<core::TreeEntry> entries;
  llvm::ArrayRef<std::string> programs;
};

std::string text(const DirectoryReport &report, Style style);
/// Every path in the directory with its kind, for `--print`.
std::string listing(const DirectoryReport &report);

} // namespace cudacc::report
