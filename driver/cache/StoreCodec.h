// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::cache {

/// Text format of cached facts about toolkits and host compilers (Codec.h). Parsing returns
/// std::nullopt for damaged text or another version of the format.
std::string serialise(const core::Toolkit &toolkit);
std::optional<core::Toolkit> parseToolkit(llvm::StringRef text);
std::string serialise(const core::HostCompiler &compiler);
std::optional<core::HostCompiler> parseHostCompiler(llvm::StringRef text);

} // namespace cudacc::cache
