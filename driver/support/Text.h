// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// Quotes user-supplied text for a message: on one line, at most \p widest bytes of it.
std::string quoted(llvm::StringRef text, size_t widest = 40);

/// Joins \p textOf(each item) of \p range with \p separator.
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

/// Appends \p text to a list, with \p separator if the list is not empty.
void appendItem(std::string &list, llvm::StringRef text, llvm::StringRef separator = ", ");

/// `12 KB`, `114.9 MB`, in powers of 1,000.
std::string bytesText(uint64_t bytes);

} // namespace cudacc::support
