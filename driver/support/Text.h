// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// A text of the user's for a message: in quotes, in one line, at most \p widest bytes of it.
std::string quoted(llvm::StringRef text, size_t widest = 40);

/// \p textOf each item of \p range, \p separator between them.
template <typename Range, typename TextOf>
std::string joined(const Range &range, llvm::StringRef separator, TextOf textOf) {
  std::string out;
  bool isFirst = true;
  for (const auto &each : range) {
    if (!isFirst)
      out += separator;
    isFirst = false;
    out += textOf(each);
  }
  return out;
}

/// One more text at the end of a list.
void appendItem(std::string &list, llvm::StringRef text, llvm::StringRef separator = ", ");

} // namespace cudacc::support
