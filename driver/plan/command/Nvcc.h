// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cudacc::plan {

struct NvccParts {
  const core::Invocation *call = nullptr;
  /// What is started, launchers in front included; argv[0] first.
  core::Command command;
  /// Stands for the caller's -ccbin (R11); empty: the line's own is left alone.
  std::string ccbin;
  /// Forced header with the record of this compile; empty: none.
  std::string recordHeader;
};

/// A call of nvcc that ends in exec. NVCC_*_FLAGS are merged only where -ccbin is placed: they
/// could override it (R10), and elsewhere nvcc's own reading of them is the exact one.
core::Plan planNvcc(const NvccParts &parts);

/// Whether nvcc works from a root of that path: it writes its steps as shell commands, with paths
/// in double quotes (13.0: `$` and a backtick end in "not found", all else is fine).
bool nvccCanLieIn(llvm::StringRef path);
/// Whether nvcc takes \p path in an option's value: it strips quotes, and splits the values of
/// options that are lists (-include, not -ccbin) at commas (observed with 13.0; spaces, `$`, `&`
/// and non-ASCII pass).
bool nvccCanName(llvm::StringRef path, bool inList = true);

/// Variables that nvcc exports to its children, to be removed before another nvcc starts (R36).
/// Empty unless this process runs under nvcc.
std::vector<std::string> leakedByNvcc(llvm::ArrayRef<llvm::StringRef> environment);

} // namespace cudacc::plan
