// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Invocation.h"
#include "driver/core/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace cudacc::plan {

struct NvccParts {
  const core::Invocation *call = nullptr;
  /// The program to start, including launchers, and its argv up to the caller's arguments.
  core::Command command;
  /// Replaces the caller's -ccbin (R11); empty to leave that unchanged.
  std::string ccbin;
  /// Header with the record of this compile, added by -include; empty if none.
  std::string recordHeader;
};

/// Plans an nvcc call. NVCC_*_FLAGS are merged into the command line only if -ccbin is added,
/// because they could override it (R10); otherwise nvcc reads them itself, which is exact.
core::Plan planNvcc(const NvccParts &parts);

/// Whether nvcc works if its root has that path: it passes its steps to a shell with paths in
/// double quotes (13.0: `$` and a backtick end in "not found"; all other characters work).
bool nvccCanLieIn(llvm::StringRef path);
/// Whether nvcc accepts \p path in an option's value: it strips quotes, and splits the values of
/// list options (-include, but not -ccbin) at commas. A shell expands `$` in that of -ccbin when a
/// link prepares. cudafe++ warns about an included path that is not UTF-8. Observed with 13.0,
/// where spaces, `&` and other non-ASCII characters work.
bool nvccCanName(llvm::StringRef path, bool inList = true);

/// Variables that nvcc exports to its children and that must be unset before another nvcc starts
/// (R36). Empty unless this process runs below nvcc.
std::vector<std::string> leakedByNvcc(llvm::ArrayRef<llvm::StringRef> environment);

} // namespace cudacc::plan
