// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/ToolchainDirectory.h"

namespace cudacc::config {

/// Parses what plan::serialise wrote; std::nullopt if \p text has another version of the format.
std::optional<core::ToolchainDirectory> readToolchainDirectory(llvm::StringRef text);

/// The declaration for a compiler of an anonymous directory. \p now was read instead from the
/// current file and variables; options of the call that created the directory override it, as do
/// variables that only that call had.
core::Declaration applyOver(const core::ToolchainDirectory &directory, core::Declaration now);

} // namespace cudacc::config
