// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
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

std::string bytesText(uint64_t bytes) {
  if (bytes < 1'000'000)
    return fmt::format("{} KB", (bytes + 999) / 1000);
  return fmt::format("{}.{} MB", bytes / 1'000'000, bytes / 100'000 % 10);
}

} // namespace cudacc::support
