// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/config/MatrixTable.h"
#include "driver/config/Settings.h"
#include "driver/core/Files.h"
#include "driver/support/Trust.h"
#include <optional>

namespace cudacc::config {

/// A parsed configuration file: every key is known and its value has the right type.
struct ConfigFile {
  /// Absolute path.
  std::string path;
  core::FileStatus status;
  GivenKeys given;
  /// std::nullopt if the file has no such table.
  std::optional<MatrixTable> matrix;
};

/// Names of configuration files, the one that beats the other in its folder first.
inline constexpr llvm::StringLiteral fileNames[] = {"cuda-cc.toml", "pyproject.toml"};

/// The nearest configuration file from \p from upward, see readDeclaration. \p passedBy: receives
/// the files ignored in directories that all users share.
llvm::Expected<std::optional<ConfigFile>>
findConfigFile(llvm::StringRef from, core::Files &files, support::Trust &trust,
               std::vector<std::string> *passedBy = nullptr);

/// UntrustedDeclaration for those of \p given, read from the file at \p path, that need a trusted
/// file; std::nullopt if all may apply. \p given must not contain values that are overridden.
std::optional<core::Finding> refuse(const GivenKeys &given, llvm::StringRef path,
                                    const core::FileStatus &status,
                                    const core::Environment &environment, core::Files &files,
                                    support::Trust &trust);

} // namespace cudacc::config
