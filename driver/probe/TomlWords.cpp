#include "driver/probe/TomlScanner.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using llvm::StringRef;
using Kind = TomlValue::Kind;

/// Takes digits with single underscores between them from the front; false: there are none.
static bool consumeDigits(StringRef &word, unsigned base) {
  auto isDigit = [&](char c) { return llvm::hexDigitValue(c) < base; };
  bool any = false;
  while (!word.empty() && isDigit(word[0])) {
    any = true;
    word = word.drop_front();
    if (word.size() > 1 && word[0] == '_' && isDigit(word[1]))
      word = word.drop_front();
  }
  return any;
}

static bool fitsInteger(StringRef digits, unsigned base, bool isNegative) {
  std::string plain = isNegative ? "-" : "";
  for (char c : digits)
    if (c != '_')
      plain += c;
  int64_t value;
  return !StringRef(plain).getAsInteger(base, value);
}

static std::optional<Kind> kindOfNumber(StringRef word) {
  for (auto [prefix, base] : {std::pair("0x", 16u), std::pair("0o", 8u), std::pair("0b", 2u)})
    if (StringRef digits = word; digits.consume_front(prefix)) {
      StringRef rest = digits;
      if (!consumeDigits(rest, base) || !rest.empty() || !fitsInteger(digits, base, false))
        return std::nullopt;
      return Kind::Integer;
    }
  bool isNegative = word.consume_front("-");
  if (!isNegative)
    word.consume_front("+");
  if (word == "inf" || word == "nan")
    return Kind::Float;
  StringRef rest = word;
  if (!consumeDigits(rest, 10))
    return std::nullopt;
  StringRef whole = word.drop_back(rest.size());
  if (whole.size() > 1 && whole[0] == '0')
    return std::nullopt;
  if (rest.empty())
    return fitsInteger(whole, 10, isNegative) ? std::optional(Kind::Integer) : std::nullopt;
  if (rest.consume_front(".") && !consumeDigits(rest, 10))
    return std::nullopt;
  if (rest.consume_front_insensitive("e")) {
    if (!rest.consume_front("-"))
      rest.consume_front("+");
    if (!consumeDigits(rest, 10))
      return std::nullopt;
  }
  return rest.empty() ? std::optional(Kind::Float) : std::nullopt;
}

/// Two or four digits between two bounds.
static bool consumeField(StringRef &word, size_t length, unsigned least, unsigned most,
                         unsigned &value) {
  StringRef digits = word.take_front(length);
  if (digits.size() != length || !llvm::all_of(digits, llvm::isDigit) ||
      digits.getAsInteger(10, value) || value < least || value > most)
    return false;
  word = word.drop_front(length);
  return true;
}

static bool consumeDate(StringRef &word) {
  unsigned year, month, day;
  if (!consumeField(word, 4, 0, 9999, year) || !word.consume_front("-") ||
      !consumeField(word, 2, 1, 12, month) || !word.consume_front("-") ||
      !consumeField(word, 2, 1, 31, day))
    return false;
  bool isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  bool isShort = month == 4 || month == 6 || month == 9 || month == 11;
  return day <= (month == 2 ? 28u + isLeap : isShort ? 30u : 31u);
}

static bool consumeTime(StringRef &word) {
  unsigned any;
  if (!consumeField(word, 2, 0, 23, any) || !word.consume_front(":") ||
      !consumeField(word, 2, 0, 59, any) || !word.consume_front(":") ||
      !consumeField(word, 2, 0, 59, any))
    return false;
  if (!word.consume_front("."))
    return true;
  size_t digits = word.take_while(llvm::isDigit).size();
  word = word.drop_front(digits);
  return digits != 0;
}

static bool isDateOrTime(StringRef word) {
  if (word.size() > 2 && word[2] == ':')
    return consumeTime(word) && word.empty();
  if (!consumeDate(word))
    return false;
  if (word.empty())
    return true;
  if (!StringRef("Tt ").contains(word[0]))
    return false;
  word = word.drop_front();
  if (!consumeTime(word))
    return false;
  if (word.empty() || word == "Z" || word == "z")
    return true;
  unsigned any;
  return (word.consume_front("+") || word.consume_front("-")) &&
         consumeField(word, 2, 0, 23, any) && word.consume_front(":") &&
         consumeField(word, 2, 0, 59, any) && word.empty();
}

std::optional<Kind> kindOfTomlWord(StringRef word) {
  if (word == "true" || word == "false")
    return Kind::Boolean;
  if (isDateOrTime(word))
    return Kind::Date;
  return kindOfNumber(word);
}

} // namespace cudacc::probe
