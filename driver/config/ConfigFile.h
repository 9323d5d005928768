// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/config/Settings.h"
#include "driver/core/Files.h"
#include "driver/support/Trust.h"
#include <optional>

namespace cudacc::config {

/// A configuration file, read: every key is known and has a value of the right type.
struct ConfigFile {
  /// Absolute.
  std::string path;
  core::FileStatus status;
  GivenKeys given;
};

/// The nearest one from \p from upward, as readDeclaration says. \p passedBy: those in directories
/// that everybody shares.
llvm::Expected<std::optional<ConfigFile>>
findConfigFile(llvm::StringRef from, core::Files &files, support::Trust &trust,
               std::vector<std::string> *passedBy = nullptr);

/// Of \p given, which stands in the file at \p path, what only a file of the user's own may say.
/// Nothing: all of it counts. \p given has no more than what no other source overrides.
std::optional<core::Finding> refuse(const GivenKeys &given, llvm::StringRef path,
                                    const core::FileStatus &status,
                                    const core::Environment &environment, core::Files &files,
                                    support::Trust &trust);

} // namespace cudacc::config
