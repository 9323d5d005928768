// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::report {

/// Columns of text output and of a diagnostic's first line (F22; CMake wraps the latter, R2).
constexpr unsigned textColumns = 100;
constexpr unsigned firstLineColumns = 77;
/// Where lines below another begin, and those below these.
constexpr unsigned indent = 2, deeper = 4;

/// Whether escape sequences are written; cudacc::outStyle and errStyle decide.
struct Style {
  bool colour = false;
};

enum class Paint { Plain, Error, Warning, Remark, Dim, Fix };

/// \p text between the sequences of \p paint, or as it is.
std::string painted(llvm::StringRef text, Paint paint, Style style);

/// \p text made safe for a terminal and for one line: control characters, what Unicode calls
/// unprintable or formatting (bidirectional overrides), and bytes that are no UTF-8 become escapes
/// (`\n`, `\x1b`, `\u{202e}`). Texts longer than 4,096 bytes are cut, with a count of what is left.
std::string printable(llvm::StringRef text);

/// Columns on a terminal; \p text is printable.
unsigned columns(llvm::StringRef text);

std::string padded(llvm::StringRef text, unsigned width);

/// Breaks \p text, which begins at column \p column, at spaces so that no line passes \p limit;
/// later lines begin at \p indent. A word longer than a line stays whole: paths are there to be
/// copied.
std::string wrapped(llvm::StringRef text, unsigned column, unsigned indent,
                    unsigned limit = textColumns);

/// Rows with aligned columns, two spaces apart; the last column wraps below itself. A cell of more
/// than 34 columns moves what follows in its own row only, until that is aligned again. Cells must
/// be printable. Each line ends in a newline and has no blanks at its end.
std::string table(llvm::ArrayRef<std::vector<std::string>> rows, unsigned indent,
                  unsigned limit = textColumns);

} // namespace cudacc::report
