#pragma once

#include "driver/core/Fields.h"
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

/// The line `input` about one file, of six fields; nothing where a number is none.
void writeInput(core::FieldWriter &out, const core::FileId &id);
std::optional<core::FileId> readInput(llvm::ArrayRef<std::string> fields);

} // namespace cudacc::probe
