// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"
#include "driver/pipeline/System.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace cudacc::pipeline {

/// What the toolchain directory at \p root knows about itself; nothing where none lies. Error:
/// UnreadableFile, where one does and cannot be read.
/// \p status: that of the file it is read from.
llvm::Expected<std::optional<core::ToolchainDirectory>>
directoryAt(core::Files &files, llvm::StringRef root, core::FileStatus *status = nullptr);

/// UntrustedDeclaration where somebody else may have written what the directory says, which always
/// names programs (F12). \p status: that of the file it was read from.
std::optional<core::Finding> refuseDirectory(System &system,
                                             const core::ToolchainDirectory &directory,
                                             const core::FileStatus &status);

/// Of what the file alone declares (F17); empty: \p declaration read no file.
std::string declarationDigest(const core::Declaration &declaration);

/// By what \p then holds; a time without a fraction is that of the same second.
bool isUnchanged(core::Files &files, const core::FileId &then);

/// What every compile and link of a named directory asks first, a stat each: is the declaration
/// still the one that it was made from, and its nvcc still the same file? Errors:
/// DeclarationChanged, DirectoryOutdated, with the command that makes it again.
llvm::Error checkDirectory(System &system, const core::ToolchainDirectory &directory);

/// The declaration of the file behind \p directory as it is now, against then: nothing when it says
/// the same.
std::optional<core::Finding> changedDeclaration(System &system,
                                                const core::ToolchainDirectory &directory);
core::Finding outdated(const core::ToolchainDirectory &directory, std::vector<core::Fact> facts);

} // namespace cudacc::pipeline
