// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// An nvcc after following scripts and symbolic links.
struct FollowedNvcc {
  /// The file to execute: beside nvcc.profile, or a script (N1).
  std::string nvcc;
  /// The program that it finally runs; for a script that cannot be followed, the script.
  std::string driver;
  /// Every script that was followed.
  std::vector<std::string> scripts;
};

/// \p path is absolute. Symbolic links are followed only until a directory with nvcc.profile is
/// reached, since nvcc does not resolve them either. Errors: Code::NoToolkit.
llvm::Expected<FollowedNvcc> followNvcc(llvm::StringRef path, core::Files &files);

/// The absolute path of the nvcc that a shell script passes its arguments to (`exec /X/nvcc "$@"`,
/// also with `-a NAME` or after a launcher). std::nullopt if there is none or more than one.
std::optional<std::string> nvccCalledBy(llvm::StringRef script);

} // namespace cudacc::probe
