#pragma once

#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::probe {

/// The forms in which facts about toolkits and host compilers are kept (core/Fields.h). A text of
/// another version of the form, or a damaged one, reads as nothing.
std::string serialise(const core::Toolkit &toolkit);
std::optional<core::Toolkit> parseToolkit(llvm::StringRef text);
std::string serialise(const core::HostCompiler &compiler);
std::optional<core::HostCompiler> parseHostCompiler(llvm::StringRef text);

} // namespace cudacc::probe
