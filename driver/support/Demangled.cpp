// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Demangled.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

namespace cudacc::support {

using llvm::StringRef;

/// Limits on the symbol and its demangled text. The demangler recurses for nearly every character
/// (F24), and each reference to an earlier part can double the text.
static constexpr size_t longest = 4096, mostText = 1 << 20;
static constexpr unsigned mostExpansions = 2;

/// An upper bound for the length of the demangled text, not counting abbreviations. Part N was
/// complete before the first reference to N or a higher part, so it is at most as long as the text
/// was there. Template parameters are not resolved to their arguments. Letters of identifiers that
/// look like a reference only raise the bound.
static size_t boundOfText(StringRef symbol) {
  size_t text = symbol.size(), highest = 0, longestPart = 0;
  for (size_t at = 0; at + 1 < symbol.size() && text <= mostText; ++at) {
    bool isPart = symbol[at] == 'S';
    if (!isPart && symbol[at] != 'T')
      continue;
    StringRef digits = symbol.drop_front(at + 1).take_while(
        [](char c) { return llvm::isDigit(c) || llvm::isUpper(c); });
    if (!symbol.drop_front(at + 1 + digits.size()).starts_with("_"))
      continue;
    if (!isPart) {
      text *= 2;
      continue;
    }
    size_t number = 1;
    for (char c : digits.take_front(4))
      number = number * 36 + (llvm::isDigit(c) ? c - '0' : c - 'A' + 10);
    if (number > highest) {
      highest = number;
      longestPart = text;
    }
    text += longestPart;
  }
  return text;
}

static bool isHarmless(StringRef symbol) {
  if (symbol.size() > longest || boundOfText(symbol) > mostText)
    return false;
  // A pack is printed once per element; the parameters of a conversion operator may follow it.
  return symbol.count("Dp") + symbol.count("sp") <= mostExpansions &&
         !(symbol.contains("cv") && symbol.count("T") > 2 * mostExpansions);
}

std::string demangled(StringRef symbol) {
  if (!isMangled(symbol) || !isHarmless(symbol))
    return {};
  char *text = llvm::itaniumDemangle(std::string_view(symbol.data(), symbol.size()));
  if (!text)
    return {};
  std::string out = text;
  std::free(text);
  return out;
}

/// The place after the parenthesis that closes the one at \p at; npos if none does.
static size_t afterParentheses(StringRef text, size_t at) {
  for (unsigned depth = 0; at != text.size(); ++at) {
    depth += text[at] == '(';
    depth -= text[at] == ')';
    if (depth == 0)
      return at + 1;
  }
  return StringRef::npos;
}

/// The name up to its parameters: the first parenthesis outside of template arguments that belongs
/// neither to `(anonymous namespace)` nor to `operator()`, nor to the type of the result:
/// `decltype(x) f(int)`, `void (*f(int))()`.
static StringRef withoutParameters(StringRef name) {
  unsigned depth = 0;
  for (size_t at = 0; at < name.size(); ++at) {
    StringRef rest = name.drop_front(at), before = name.take_front(at);
    bool isOperator = before.ends_with("operator") || before.ends_with("operator<") ||
                      before.ends_with("operator-") || before.ends_with("operator>");
    if (name[at] == '<' && !isOperator)
      ++depth;
    else if (name[at] == '>' && !isOperator && depth)
      --depth;
    else if (name[at] == '(' && depth == 0 && !isOperator &&
             !rest.starts_with("(anonymous namespace)")) {
      if (!before.empty() && before.back() != ' ' && !before.ends_with("decltype"))
        return before;
      size_t after = afterParentheses(name, at);
      if (after == StringRef::npos)
        break;
      at = after - 1;
    }
  }
  return name;
}

std::string shortName(StringRef symbol, size_t width) {
  static constexpr StringRef gap = "...";
  std::string whole = demangled(symbol);
  StringRef name = whole.empty() ? symbol : withoutParameters(whole);
  if (name.size() <= width)
    return name.str();
  // Keep more of the end than of the beginning: it has the function's name, after the namespaces.
  size_t front = (width - gap.size()) / 3;
  return fmt::format("{}{}{}", name.take_front(front), gap,
                     name.take_back(width - gap.size() - front));
}

std::string nameInTitle(StringRef symbol) {
  static constexpr size_t widest = 48;
  return isMangled(symbol) ? shortName(symbol, widest) : symbol.str();
}

} // namespace cudacc::support
