// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cudacc::plan {

/// A C file as `fatbinary --embedded-fatbin` writes it: one `asm(...);` of string literals with the
/// images, between declarations that do not depend on them but for the size of an array.

/// \p text with an assembler's `.include` of \p path instead of the strings. std::nullopt if the
/// text has another form, or the path a character that would need an escape.
std::optional<std::string> withIncludedData(llvm::StringRef text, llvm::StringRef path);

/// The strings of \p text as the assembler reads them. std::nullopt if the text has another form,
/// or differs from \p including, made by withIncludedData(), in more than the size of an array.
std::optional<std::string> includedData(llvm::StringRef text, llvm::StringRef including);

} // namespace cudacc::plan
