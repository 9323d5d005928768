// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"

namespace cudacc::config {

/// What plan::serialise wrote; nothing: \p text is not of this version of the form.
std::optional<core::ToolchainDirectory> readToolchainDirectory(llvm::StringRef text);

/// What an anonymous directory's compiler is held to: \p now, read in its place from the file and
/// the variables as they are, under what the call that made it said by options, and over variables
/// that only that call had.
core::Declaration applyOver(const core::ToolchainDirectory &directory, core::Declaration now);

} // namespace cudacc::config
