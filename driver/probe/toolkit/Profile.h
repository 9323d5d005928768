// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <string>
#include <vector>

namespace cudacc::probe {

/// What nvcc.profile makes nvcc search. Directories as written, not checked for existence.
struct Profile {
  std::vector<std::string> includes, systemIncludes, libraries;
  /// Where cicc lies; empty: on nvcc's PATH.
  std::string ciccPath;
  /// Directories put in front of PATH for nvcc's children.
  std::vector<std::string> path;
};

/// \p here: the folder of the profile, `_HERE_`. \p targetDir: `targets/x86_64-linux` where the
/// toolkit has it, else empty; libraries then lie in `lib64` (N17). Grammar as the comments of
/// Debian's profiles state it: `=` sets, `?=` sets when unset, `+=` prepends, `=+` appends.
Profile parseProfile(llvm::StringRef text, llvm::StringRef here, llvm::StringRef targetDir);

} // namespace cudacc::probe
