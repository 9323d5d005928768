// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Text.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::support {

std::string quoted(llvm::StringRef text, size_t widest) {
  size_t end = std::min(text.size(), widest);
  // Do not split a UTF-8 character.
  while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80)
    --end;
  std::string out = "\"";
  for (char c : text.take_front(end))
    out += llvm::isPrint(c) || (c & 0x80) ? c : '?';
  return out + (end < text.size() ? "...\"" : "\"");
}

void appendItem(std::string &list, llvm::StringRef text, llvm::StringRef separator) {
  if (!list.empty())
    list += separator;
  list += text;
}

} // namespace cudacc::support
