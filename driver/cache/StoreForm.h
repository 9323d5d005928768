#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Toolkit.h"
#include "driver/support/Fields.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::cache {

/// The forms in which facts about toolkits and host compilers are kept (core/Fields.h). A text of
/// another version of the form, or a damaged one, reads as nothing.
std::string serialise(const core::Toolkit &toolkit);
std::optional<core::Toolkit> parseToolkit(llvm::StringRef text);
std::string serialise(const core::HostCompiler &compiler);
std::optional<core::HostCompiler> parseHostCompiler(llvm::StringRef text);

/// A line of \p key and one value, for each of them.
void writeAll(support::FieldWriter &out, llvm::StringRef key, llvm::ArrayRef<std::string> values);

/// The line `input` about one file, of six fields; nothing where a number is none.
void writeInput(support::FieldWriter &out, const core::FileId &id);
std::optional<core::FileId> readInput(llvm::ArrayRef<std::string> fields);

/// The lines `problem`, `fact` and `fix` about one finding; false: such a line it is not.
void writeProblem(support::FieldWriter &out, const core::Finding &problem);
bool readProblem(std::vector<core::Finding> &problems, llvm::ArrayRef<std::string> fields);

} // namespace cudacc::cache
