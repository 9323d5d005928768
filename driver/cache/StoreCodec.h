// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::cache {

/// The texts in which facts about toolkits and host compilers are cached (Codec.h). A text of
/// another version, or a damaged one, reads as nothing.
std::string serialise(const core::Toolkit &toolkit);
std::optional<core::Toolkit> parseToolkit(llvm::StringRef text);
std::string serialise(const core::HostCompiler &compiler);
std::optional<core::HostCompiler> parseHostCompiler(llvm::StringRef text);

} // namespace cudacc::cache
