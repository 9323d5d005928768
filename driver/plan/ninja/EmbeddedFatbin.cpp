// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/ninja/EmbeddedFatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::plan {

using llvm::StringRef;

static constexpr llvm::StringLiteral opening = "\nasm(", closing = ");\n";

namespace {
/// Each with its line end.
struct Parts {
  StringRef before, strings, after;
};
} // namespace

static std::optional<Parts> partsOf(StringRef text) {
  size_t begin = text.find(opening);
  if (begin == StringRef::npos)
    return std::nullopt;
  begin += opening.size();
  size_t end = text.find(closing, begin);
  if (end == StringRef::npos || text.find(opening, end) != StringRef::npos)
    return std::nullopt;
  return Parts{text.take_front(begin), text.slice(begin, end), text.drop_front(end)};
}

/// Appends a string literal's value to \p out.
static bool appendLiteral(StringRef literal, std::string &out) {
  if (literal.size() < 2 || !literal.consume_front("\"") || !literal.consume_back("\""))
    return false;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '"')
      return false;
    if (literal[i] != '\\') {
      out += literal[i];
      continue;
    }
    char escape = ++i < literal.size() ? literal[i] : '\0';
    if (escape != 'n' && escape != '"' && escape != '\\')
      return false;
    out += escape == 'n' ? '\n' : escape;
  }
  return true;
}

/// \p text without the numbers in brackets.
static std::string withoutSizes(StringRef text) {
  std::string out;
  while (!text.empty()) {
    size_t bracket = std::min(text.find('['), text.size());
    size_t end = std::min(bracket + 1, text.size());
    out += text.take_front(end);
    text = text.drop_front(end).drop_while(llvm::isDigit);
  }
  return out;
}

std::optional<std::string> withIncludedData(StringRef text, StringRef path) {
  auto parts = partsOf(text);
  if (!parts || path.find_first_of("\"\\\n\r") != StringRef::npos)
    return std::nullopt;
  return fmt::format("{}\".include \\\"{}\\\"\\n\"{}", parts->before, path, parts->after);
}

std::optional<std::string> includedData(StringRef text, StringRef including) {
  auto parts = partsOf(text), expected = partsOf(including);
  bool isSame = parts && expected && parts->before == expected->before &&
                withoutSizes(parts->after) == withoutSizes(expected->after);
  if (!isSame)
    return std::nullopt;
  std::string data;
  data.reserve(parts->strings.size());
  StringRef rest = parts->strings.trim('\n');
  while (!rest.empty()) {
    auto [line, others] = rest.split('\n');
    if (!appendLiteral(line, data))
      return std::nullopt;
    rest = others;
  }
  return data;
}

} // namespace cudacc::plan
