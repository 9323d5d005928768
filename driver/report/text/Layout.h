// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// Width of text output, and of a diagnostic's first line (F22; CMake wraps the latter, R2).
constexpr unsigned textColumns = 100;
constexpr unsigned firstLineColumns = 77;
/// Columns by which dependent lines are indented, on the first and second level.
constexpr unsigned indent = 2, deeper = 4;

/// Whether to write escape sequences; cudacc::outStyle and errStyle decide.
struct Style {
  bool colour = false;
};

enum class Paint { Plain, Error, Warning, Remark, Dim, Fix };

/// \p text between the escape sequences of \p paint. Unchanged for a style without colour.
std::string painted(llvm::StringRef text, Paint paint, Style style);

/// Makes \p text safe for a terminal and a single line: control characters, characters that Unicode
/// calls unprintable or formatting (bidirectional overrides), and bytes that are not UTF-8 become
/// escapes (`\n`, `\x1b`, `\u{202e}`). So does the first character of what a CI takes for a command
/// if it begins a line, where wrapping may put it: `::error::`, `##[error]`. Texts longer than
/// 4,096 bytes are cut; the number of bytes left is appended.
std::string printable(llvm::StringRef text);
/// The same for each line of \p text, none of which is cut; tabs stay. Ends in a newline unless it
/// is empty.
std::string printableLines(llvm::StringRef text);

/// The same JSON, whose strings have escapes for what a terminal or a CI would obey. \p json is
/// UTF-8.
std::string printableJson(std::string json);

/// Width on a terminal. \p text must be printable.
unsigned columns(llvm::StringRef text);

std::string padded(llvm::StringRef text, unsigned width);

/// Breaks \p text, which starts at column \p column, at spaces so that no line exceeds \p limit.
/// Continuation lines are indented by \p indent. A word longer than a line is not broken, so that
/// paths can be copied.
std::string wrapped(llvm::StringRef text, unsigned column, unsigned indent,
                    unsigned limit = textColumns);

/// Aligns rows in columns, two spaces apart; the last column wraps within itself. A cell wider than
/// 34 columns shifts only its own row, until that is aligned again. A last cell that would be
/// squeezed into less than 30 columns starts a line of its own. Cells must be printable. Each
/// line ends in a newline without trailing spaces.
std::string table(llvm::ArrayRef<std::vector<std::string>> rows, unsigned indent,
                  unsigned limit = textColumns);

} // namespace cudacc::report
