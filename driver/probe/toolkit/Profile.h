// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// The search directories set in nvcc.profile, as written there; they need not exist.
struct Profile {
  std::vector<std::string> includes, systemIncludes, libraries;
  /// Directory of cicc; empty if nvcc searches it on its PATH.
  std::string ciccPath;
  /// Directories prepended to PATH for nvcc's child processes.
  std::vector<std::string> path;
};

/// \p here is the directory of the profile, `_HERE_`. \p targetDir is `targets/x86_64-linux` if the
/// toolkit has it; if empty, libraries are in `lib64` (N17). Grammar, as stated by the comments of
/// Debian's profiles: `=` sets, `?=` sets if unset, `+=` prepends, `=+` appends.
Profile parseProfile(llvm::StringRef text, llvm::StringRef here, llvm::StringRef targetDir);

} // namespace cudacc::probe
