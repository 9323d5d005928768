#pragma once

#include "driver/core/ToolchainDirectory.h"

namespace cudacc::probe {

/// What ToolchainDirectory::serialise wrote; nothing: \p text is not of this version of the form.
std::optional<core::ToolchainDirectory> readToolchainDirectory(llvm::StringRef text);

} // namespace cudacc::probe
