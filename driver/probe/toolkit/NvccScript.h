// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::probe {

/// An nvcc, followed through scripts and links.
struct FollowedNvcc {
  /// To be started: lies beside nvcc.profile, or is a script (N1).
  std::string nvcc;
  /// The program behind it. A script that cannot be followed is its own.
  std::string driver;
  /// Every script on the way.
  std::vector<std::string> scripts;
};

/// \p path absolute. Links are followed only until a folder with nvcc.profile is reached, since
/// nvcc does not resolve them either. Error: Code::NoToolkit.
llvm::Expected<FollowedNvcc> followNvcc(llvm::StringRef path, core::Files &files);

/// The one absolute path of an nvcc that a shell script hands its arguments to (`exec /X/nvcc
/// "$@"`, with `-a NAME`, behind a launcher). Nothing: none, or several.
std::optional<std::string> nvccCalledBy(llvm::StringRef script);

} // namespace cudacc::probe
