// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/pipeline/System.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace cudacc::pipeline {

/// Reads the toolchain directory at \p root; std::nullopt if there is none. \p status, if not null,
/// receives the status of the file it is read from. Errors: UnreadableFile if the file is damaged.
llvm::Expected<std::optional<core::ToolchainDirectory>>
directoryAt(core::Files &files, llvm::StringRef root, core::FileStatus *status = nullptr);

/// UntrustedDeclaration if another user may have written the directory, which always names programs
/// to start (F12). \p status: as from directoryAt.
std::optional<core::Finding> refuseDirectory(System &system,
                                             const core::ToolchainDirectory &directory,
                                             const core::FileStatus &status);

/// Digest of what \p file alone declares (F17), whatever options and variables declare besides;
/// empty if there is no file.
llvm::Expected<std::string> declarationDigest(System &system, const std::string &file);

/// Compares the file's status with \p then. A time in whole seconds matches any time within that
/// second.
bool isUnchanged(core::Files &files, const core::FileId &then);

/// Checks, with one stat each, that the declaration that a named directory was made from and its
/// nvcc are unchanged; done first in every compile and link. Errors: DeclarationChanged,
/// DirectoryOutdated, each with the command that makes the directory again.
llvm::Error checkDirectory(System &system, const core::ToolchainDirectory &directory);

/// DeclarationChanged if the file behind \p directory no longer declares the same; else
/// std::nullopt.
std::optional<core::Finding> changedDeclaration(System &system,
                                                const core::ToolchainDirectory &directory);
core::Finding outdated(const core::ToolchainDirectory &directory, std::vector<core::Fact> facts);

} // namespace cudacc::pipeline
