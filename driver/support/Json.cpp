// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Json.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

namespace cudacc::support {

using llvm::StringRef;

namespace {

class JsonReader {
public:
  JsonReader(StringRef text, TextError &error, const JsonLimits &limits)
      : text(text), error(error), limits(limits), left(limits.values) {}

  std::optional<Value> run() {
    Value root;
    if (!checkBytes() || !read(root))
      return std::nullopt;
    skipBlank();
    if (at == text.size())
      return root;
    makeError("text behind the end");
    return std::nullopt;
  }

private:
  StringRef text;
  TextError &error;
  const JsonLimits &limits;
  size_t at = 0, left;
  unsigned line = 1, depth = 0;

  bool makeError(std::string why) {
    StringRef before = text.take_front(at);
    error = {unsigned(before.count('\n') + 1), unsigned(at - before.rfind('\n')), std::move(why)};
    return false;
  }
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool eat(char c) {
    skipBlank();
    if (peek() != c)
      return false;
    ++at;
    return true;
  }
  void skipBlank() {
    for (; at < text.size() && StringRef(" \t\r\n").contains(text[at]); ++at)
      line += text[at] == '\n';
  }

  bool checkBytes() {
    if (text.size() > limits.bytes)
      return makeError(fmt::format("it has more than {} bytes", limits.bytes));
    return llvm::json::isUTF8(text, &at) || makeError("it is not UTF-8");
  }

  bool read(Value &out) {
    skipBlank();
    out.line = line;
    if (left-- == 0)
      return makeError(fmt::format("it has more than {} values", limits.values));
    switch (peek()) {
    case '"':
      out.kind = Value::Kind::Text;
      return readString(out.text);
    case '{':
      return readMembers(out);
    case '[':
      return readItems(out);
    case 't':
      return readWord("true", out);
    case 'f':
      return readWord("false", out);
    case 'n':
      return readWord("null", out);
    default:
      return readNumber(out);
    }
  }

  /// Reads the items between brackets.
  bool readAll(char closing, llvm::function_ref<bool()> readOne) {
    if (++depth > limits.depth)
      return makeError(fmt::format("nested more than {} deep", limits.depth));
    ++at;
    if (!eat(closing)) {
      do {
        if (!readOne())
          return false;
      } while (eat(','));
      if (!eat(closing))
        return makeError(fmt::format("expected a comma or '{}'", closing));
    }
    --depth;
    return true;
  }

  bool readItems(Value &out) {
    out.kind = Value::Kind::List;
    return readAll(']', [&] { return read(out.items.emplace_back()); });
  }

  bool readMembers(Value &out) {
    out.kind = Value::Kind::Table;
    llvm::StringSet<> many;
    return readAll('}', [&] { return readMember(out, many); });
  }

  bool readMember(Value &out, llvm::StringSet<> &many) {
    skipBlank();
    size_t begin = at;
    unsigned keyLine = line;
    std::string key;
    if (peek() != '"')
      return makeError("expected a key");
    if (!readString(key))
      return false;
    if (isKnown(key, out.keys, many)) {
      at = begin;
      return makeError(fmt::format("the key {} occurs twice", quoted(key)));
    }
    if (!eat(':'))
      return makeError("expected a colon");
    out.keys.push_back(std::move(key));
    Value &item = out.items.emplace_back();
    bool isGood = read(item);
    item.line = keyLine;
    return isGood;
  }

  /// Uses a set only for large objects; most are small.
  static bool isKnown(StringRef key, llvm::ArrayRef<std::string> keys, llvm::StringSet<> &many) {
    constexpr size_t few = 16;
    if (keys.size() < few)
      return llvm::is_contained(keys, key);
    if (many.empty())
      for (const std::string &each : keys)
        many.insert(each);
    return !many.insert(key).second;
  }

  bool readWord(StringRef word, Value &out) {
    if (!text.substr(at).starts_with(word))
      return makeError("expected a value");
    at += word.size();
    if (word != "null") {
      out.kind = Value::Kind::Boolean;
      out.text = word.str();
    }
    return true;
  }

  size_t readDigits() {
    size_t begin = at;
    while (llvm::isDigit(peek()))
      ++at;
    return at - begin;
  }

  bool readNumber(Value &out) {
    size_t begin = at;
    at += peek() == '-';
    bool isZero = peek() == '0';
    size_t digits = readDigits();
    if (at == text.size() && digits == 0)
      return makeError("the text ends early");
    bool isGood = isZero ? digits == 1 : digits > 0;
    if (isGood && peek() == '.')
      isGood = (++at, readDigits() > 0);
    if (isGood && (peek() == 'e' || peek() == 'E')) {
      ++at;
      at += peek() == '+' || peek() == '-';
      isGood = readDigits() > 0;
    }
    if (!isGood)
      return makeError("expected a value");
    out.kind = Value::Kind::Number;
    out.text = text.slice(begin, at).str();
    return true;
  }

  bool readString(std::string &out) {
    size_t begin = ++at;
    for (; at < text.size(); ++at) {
      unsigned char c = text[at];
      if (c < 0x20)
        return makeError("a control character in a string");
      if (c != '"' && c != '\\')
        continue;
      out.append(text.data() + begin, at - begin);
      if (c == '"') {
        ++at;
        return true;
      }
      if (!readEscape(out))
        return false;
      begin = at + 1;
    }
    return makeError("a string does not end");
  }

  /// Reads from the backslash to the last character of the escape.
  bool readEscape(std::string &out) {
    static constexpr StringRef names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++at;
    if (size_t index = names.find(peek()); index != StringRef::npos) {
      out += meanings[index];
      return true;
    }
    unsigned unit, second;
    if (!readUnit(unit))
      return makeError("an escape that JSON does not have");
    if (unit >= 0xd800 && unit < 0xdc00 && text.substr(at + 1).starts_with("\\")) {
      size_t first = at;
      at += 2;
      if (readUnit(second) && second >= 0xdc00 && second < 0xe000)
        unit = 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
      else
        at = first;
    }
    if (unit >= 0xd800 && unit < 0xe000)
      unit = 0xfffd;
    char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
    llvm::ConvertCodePointToUTF8(unit, end);
    out.append(bytes, end);
    return true;
  }

  /// Reads `uXXXX`, up to its last digit.
  bool readUnit(unsigned &unit) {
    StringRef digits = text.substr(at + 1, 4);
    if (peek() != 'u' || digits.size() < 4 || !llvm::all_of(digits, llvm::isHexDigit))
      return false;
    at += 4;
    return !digits.getAsInteger(16, unit);
  }
};

} // namespace

std::optional<Value> readJson(StringRef text, TextError &error, const JsonLimits &limits) {
  return JsonReader(text, error, limits).run();
}

} // namespace cudacc::support
