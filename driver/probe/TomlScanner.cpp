#include "driver/probe/TomlScanner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ConvertUTF.h"

namespace cudacc::probe {

using llvm::StringRef;

static bool isContinuation(char c) { return (uint8_t(c) & 0xc0) == 0x80; }

TomlPlace TomlScanner::placeOf(size_t offset) {
  if (offset < knownAt) {
    knownAt = 0;
    known = {1, 1};
  }
  for (; knownAt != offset; ++knownAt)
    if (text[knownAt] == '\n')
      known = {known.line + 1, 1};
    else
      known.column += !isContinuation(text[knownAt]);
  return known;
}

/// `U+00E9`.
static std::string nameOfCharacter(StringRef text) {
  auto *next = reinterpret_cast<const llvm::UTF8 *>(text.data());
  llvm::UTF32 value = uint8_t(text[0]);
  llvm::convertUTF8Sequence(&next, next + text.size(), &value, llvm::lenientConversion);
  std::string digits = llvm::utohexstr(value);
  return "U+" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

bool TomlScanner::failAt(TomlPlace place, const llvm::Twine &why) {
  if (error.why.empty())
    error = {place, why.str()};
  return false;
}

bool TomlScanner::failExpecting(StringRef what) {
  std::string found;
  if (atEnd())
    found = "the end of the file";
  else if (startsWith("\n") || startsWith("\r\n"))
    found = "the end of the line";
  else if (llvm::isPrint(peek()))
    found = std::string("'") + peek() + "'";
  else
    found = nameOfCharacter(text.substr(at));
  return fail("expected " + what + ", not " + found);
}

bool TomlScanner::checkEncoding() {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *next = begin;
  if (!llvm::isLegalUTF8String(&next, begin + text.size()))
    return failBack(next - begin, "it is not UTF-8");
  if (startsWith("\xef\xbb\xbf"))
    at = knownAt = 3;
  return true;
}

void TomlScanner::skipBlanks() {
  while (peek() == ' ' || peek() == '\t')
    ++at;
}

bool TomlScanner::skipNewline() {
  if (!startsWith("\n") && !startsWith("\r\n"))
    return false;
  at += peek() == '\r' ? 2 : 1;
  return true;
}

/// Inside a comment or a string, beside line breaks.
bool TomlScanner::isAllowed(char c) { return c == '\t' || (uint8_t(c) >= 0x20 && c != 0x7f); }

bool TomlScanner::skipRestOfLine() {
  skipBlanks();
  if (peek() != '#')
    return true;
  while (!atEnd() && !startsWith("\n") && !startsWith("\r\n")) {
    if (!isAllowed(peek()))
      return failExpecting("text in the comment");
    ++at;
  }
  return true;
}

bool TomlScanner::endLine() {
  if (!skipRestOfLine())
    return false;
  return atEnd() || skipNewline() || failExpecting("the end of the line");
}

bool TomlScanner::skipLines() {
  do {
    if (!skipRestOfLine())
      return false;
  } while (skipNewline());
  return true;
}

bool TomlScanner::unicodeEscape(unsigned digits, std::string &out) {
  uint32_t value = 0;
  size_t begin = at;
  for (unsigned i = 0; i != digits; ++i, ++at) {
    unsigned digit = llvm::hexDigitValue(peek());
    if (digit == ~0u)
      return failExpecting("a hexadecimal digit");
    value = value << 4 | digit;
  }
  char buffer[4], *end = buffer;
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ||
      !llvm::ConvertCodePointToUTF8(value, end))
    return failBack(begin, "no character has that number");
  out.append(buffer, end);
  return true;
}

/// Behind the backslash.
bool TomlScanner::escape(bool isMultiline, std::string &out) {
  static constexpr StringRef letters = "btnfr\"\\", values = "\b\t\n\f\r\"\\";
  char letter = peek();
  if (size_t index = letters.find(letter); !atEnd() && index != StringRef::npos) {
    out += values[index];
    ++at;
    return true;
  }
  if (letter == 'u' || letter == 'U') {
    ++at;
    return unicodeEscape(letter == 'u' ? 4 : 8, out);
  }
  // The line goes on behind the next blanks and line breaks.
  if (isMultiline && (letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r')) {
    skipBlanks();
    if (!skipNewline())
      return failExpecting("the end of the line behind the backslash");
    do
      skipBlanks();
    while (skipNewline());
    return true;
  }
  return failExpecting("an escape (b t n f r u U \" \\) behind the backslash");
}

/// Behind the opening quotes.
bool TomlScanner::stringBody(char quote, bool isMultiline, std::string &out) {
  std::string closing(isMultiline ? 3 : 1, quote);
  for (;;) {
    if (startsWith(closing)) {
      at += closing.size();
      // Up to two more quotes belong to the text and stand before the closing three.
      for (int more = 0; isMultiline && more != 2 && peek() == quote; ++more, ++at)
        out += quote;
      return true;
    }
    if (isMultiline && skipNewline()) {
      out += '\n';
    } else if (quote == '"' && peek() == '\\') {
      ++at;
      if (!escape(isMultiline, out))
        return false;
    } else if (!atEnd() && isAllowed(peek())) {
      out += text[at++];
    } else {
      return failExpecting("the end of the string");
    }
  }
}

std::optional<std::string> TomlScanner::string(bool mayBeMultiline) {
  char quote = peek();
  bool isMultiline = mayBeMultiline && startsWith(std::string(3, quote));
  at += isMultiline ? 3 : 1;
  if (isMultiline)
    skipNewline();
  std::string out;
  if (!stringBody(quote, isMultiline, out))
    return std::nullopt;
  return out;
}

std::optional<std::string> TomlScanner::keyPart() {
  if (peek() == '"' || peek() == '\'')
    return string(false);
  size_t begin = at;
  while (llvm::isAlnum(peek()) || peek() == '_' || peek() == '-')
    ++at;
  if (at == begin) {
    failExpecting("a key");
    return std::nullopt;
  }
  return text.slice(begin, at).str();
}

std::optional<TomlValue> TomlScanner::scalar() {
  TomlValue value;
  value.at = place();
  if (peek() == '"' || peek() == '\'') {
    auto text = string(true);
    if (!text)
      return std::nullopt;
    value.kind = TomlValue::Kind::String;
    value.text = std::move(*text);
    return value;
  }
  size_t begin = at;
  auto skipWord = [&] {
    while (llvm::isAlnum(peek()) || (peek() && StringRef("+-_.:").contains(peek())))
      ++at;
  };
  skipWord();
  // Between date and time there may be a blank.
  if (at - begin == 10 && text[begin + 4] == '-' && peek() == ' ' && llvm::isDigit(peek(1)) &&
      llvm::isDigit(peek(2)) && peek(3) == ':') {
    ++at;
    skipWord();
  }
  if (at == begin) {
    failExpecting("a value");
    return std::nullopt;
  }
  StringRef word = text.slice(begin, at);
  auto kind = kindOfTomlWord(word);
  if (!kind) {
    failBack(begin, "'" + word.take_front(40) + "' is no value");
    return std::nullopt;
  }
  value.kind = *kind;
  value.text = word.str();
  return value;
}

} // namespace cudacc::probe
