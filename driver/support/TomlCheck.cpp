// SPDX-License-Identifier: Apache-2.0
#include "driver/support/TomlCheck.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

namespace cudacc::support {

using llvm::StringRef;

static constexpr StringRef lineSpace = " \t\r\n", wordEnds = " \t\r\n\v\f]},#";

namespace {

/// Scans the text as toml++ does, up to the first error that toml++ reports: it reads nothing after
/// that.
class TomlCheck {
public:
  TomlCheck(StringRef text, TextError &error) : text(text), error(error) {}
  std::optional<std::string> run();

private:
  struct Level {
    bool isArray;
    unsigned dots;
  };
  StringRef text;
  TextError &error;
  size_t at = 0;
  /// The checked text up to `copied`.
  std::string safe;
  size_t copied = 0;
  std::vector<Level> open;
  /// Levels that are open, and dots in the current key.
  unsigned depth = 0, dots = 0;
  unsigned values = 0, names = 0;
  bool isInValue = false;
  /// End of the last number or date.
  size_t wordEnd = StringRef::npos;

  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool makeError(std::string why);
  bool step(char c);
  bool punctuation(char c);
  void endEntry();
  bool word();
  bool string(char quote);
  bool writeAsEscape();
};

} // namespace

static bool isAscii(char c) { return (c & 0x80) == 0; }

bool TomlCheck::makeError(std::string why) {
  StringRef before = text.take_front(at);
  StringRef line = before.substr(before.rfind('\n') + 1);
  // Characters, as toml++ counts, not bytes.
  auto column = llvm::count_if(line, [](char c) { return (c & 0xC0) != 0x80; });
  error = {unsigned(before.count('\n') + 1), unsigned(column + 1), std::move(why)};
  return false;
}

std::optional<std::string> TomlCheck::run() {
  text.consume_front("\xef\xbb\xbf");
  while (at < text.size())
    if (!step(text[at]))
      return std::nullopt;
  safe += text.substr(copied);
  return std::move(safe);
}

bool TomlCheck::step(char c) {
  if (c == '"' || c == '\'')
    return string(c);
  if (c == '#') {
    at = std::min(text.find('\n', at), text.size());
    return true;
  }
  if (isInValue && c != '[' && c != '{' && !wordEnds.contains(c))
    return word();
  if (!isAscii(c))
    return makeError("only strings and comments have characters beyond ASCII");
  if (c == '\n' && open.empty())
    endEntry();
  else if (StringRef("[]{}=,.").contains(c) && !punctuation(c))
    return false;
  ++at;
  return true;
}

bool TomlCheck::punctuation(char c) {
  if (c == '[' || c == '{') {
    // A bracket starts an array in a value, otherwise a header.
    names += open.empty() && !isInValue;
    isInValue &= c == '[';
    open.push_back({isInValue, dots});
    dots = 0;
    ++depth;
  } else if ((c == ']' || c == '}') && !open.empty()) {
    depth -= dots + 1;
    isInValue = c == '}' || open.back().isArray;
    dots = open.back().dots;
    open.pop_back();
  } else if (c == '=') {
    isInValue = true;
  } else if (c == ',') {
    endEntry();
  } else if (c == '.') {
    ++dots;
    ++depth;
    ++names;
  }
  if (depth > deepestToml)
    return makeError(fmt::format("nested more than {} deep", deepestToml));
  if (++values > mostTomlValues)
    return makeError(fmt::format("it has more than {} values", mostTomlValues));
  return names <= mostTomlNames ||
         makeError(fmt::format("it has more than {} names of tables", mostTomlNames));
}

void TomlCheck::endEntry() {
  depth -= dots;
  dots = 0;
  isInValue = !open.empty() && open.back().isArray;
}

/// toml++ reads to the end of the word to classify it, across quotes and brackets, and across a
/// space for the time after a date; it takes the second character of that time as part of the word.
bool TomlCheck::word() {
  StringRef word = text.substr(at, text.find_first_of(wordEnds, at) - at);
  if (word.size() > longestTomlNumber)
    return makeError(fmt::format("more than {} characters of a number or date", longestTomlNumber));
  if (word.size() == 1 && at == wordEnd + 1 && text[wordEnd] == ' ')
    return makeError("expected the end of the line or a time, not one character");
  for (char c : word) {
    if (!isAscii(c))
      return makeError("only strings and comments have characters beyond ASCII");
    ++at;
  }
  wordEnd = at;
  return true;
}

bool TomlCheck::string(char quote) {
  std::string triple(3, quote);
  bool isMultiline = text.substr(at).starts_with(triple), isTrimming = false;
  for (at += isMultiline ? 3 : 1; at < text.size(); ++at) {
    char c = text[at];
    if (quote == '"' && c == '\\') {
      ++at;
      if (!isAscii(peek()))
        return makeError("expected an escape (b t n f r u U \" \\) behind the backslash");
      isTrimming = isMultiline && lineSpace.contains(peek());
    } else if (c == quote && (!isMultiline || text.substr(at).starts_with(triple))) {
      at += isMultiline ? 3 : 1;
      // Up to two more quotes belong to the text and precede the closing three.
      for (unsigned more = 0; isMultiline && more < 2 && peek() == quote; ++more)
        ++at;
      return true;
    } else if (c == '\n' && !isMultiline) {
      return true;
    } else if (isTrimming && !isAscii(c)) {
      if (!writeAsEscape())
        return false;
      isTrimming = false;
    } else if (!lineSpace.contains(c)) {
      isTrimming = false;
    }
  }
  return true;
}

/// After a backslash at the end of a line, toml++ tests whether a character is white space with a
/// function that is undefined for letters such as \u00e9. An escape is never tested, so write one.
bool TomlCheck::writeAsEscape() {
  llvm::UTF32 character;
  const llvm::UTF8 *end = text.bytes_begin() + at;
  if (llvm::convertUTF8Sequence(&end, text.bytes_end(), &character, llvm::strictConversion) !=
      llvm::conversionOK)
    return makeError("it is not UTF-8");
  safe += fmt::format("{}\\U{}", text.slice(copied, at), llvm::utohexstr(character, false, 8));
  copied = end - text.bytes_begin();
  at = copied - 1;
  return true;
}

std::optional<std::string> checkToml(StringRef text, TextError &error) {
  return TomlCheck(text, error).run();
}

} // namespace cudacc::support
