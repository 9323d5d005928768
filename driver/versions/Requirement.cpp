// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Requirement.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::versions {

using llvm::StringRef;

static bool isNameSeparator(char c) { return c == '-' || c == '_' || c == '.'; }
static bool isSemicolon(char c) { return c == ';'; }

/// Consumes an identifier of PEP 508: letters, digits and inner `-_.`. Empty if there is none.
static StringRef takeIdentifier(StringRef &text) {
  StringRef word =
      text.take_while([](char c) { return llvm::isAlnum(c) || isNameSeparator(c); }).rtrim("-_.");
  if (word.empty() || !llvm::isAlnum(word.front()))
    return {};
  text = text.drop_front(word.size());
  return word;
}

static bool readExtras(StringRef &text, std::vector<std::string> &extras) {
  if (!text.consume_front("["))
    return true;
  text = text.ltrim();
  if (text.consume_front("]"))
    return true;
  while (true) {
    text = text.ltrim();
    StringRef extra = takeIdentifier(text);
    if (extra.empty())
      return false;
    extras.push_back(Requirement::normalise(extra));
    text = text.ltrim();
    if (text.consume_front("]"))
      return true;
    if (!text.consume_front(","))
      return false;
  }
}

std::optional<Requirement> Requirement::parse(StringRef text) {
  Requirement requirement;
  text = text.trim();
  requirement.text = text.str();
  StringRef name = takeIdentifier(text);
  text = text.ltrim();
  if (name.empty() || !readExtras(text, requirement.extras))
    return std::nullopt;
  requirement.name = normalise(name);
  text = text.trim();
  bool byUrl = text.consume_front("@");
  // A URL may contain semicolons, so a space must precede what follows it.
  StringRef front = byUrl ? text.ltrim().take_until(llvm::isSpace) : text.take_until(isSemicolon);
  StringRef back = text.substr(front.end() - text.begin()).ltrim();
  if (back.consume_front(";")) {
    requirement.marker = Marker::parse(back);
    if (!requirement.marker)
      return std::nullopt;
  } else if (!back.empty()) {
    return std::nullopt;
  }
  front = front.trim();
  if (byUrl) {
    requirement.url = front.str();
    return front.empty() ? std::nullopt : std::optional(std::move(requirement));
  }
  if (front.consume_front("(") && !front.consume_back(")"))
    return std::nullopt;
  front = front.trim();
  if (front.empty())
    return requirement;
  // Published METADATA has such commas, which pip ignores.
  front.consume_back(",");
  auto specifiers = SpecifierSet::parse(front);
  if (!specifiers)
    return std::nullopt;
  requirement.specifiers = std::move(*specifiers);
  return requirement;
}

bool Requirement::isName(StringRef name) {
  auto belongs = [](char c) { return llvm::isAlnum(c) || isNameSeparator(c); };
  return !name.empty() && llvm::isAlnum(name.front()) && llvm::isAlnum(name.back()) &&
         llvm::all_of(name, belongs);
}

std::string Requirement::normalise(StringRef name) {
  std::string result;
  for (char c : name) {
    if (!isNameSeparator(c))
      result += llvm::toLower(c);
    else if (result.empty() || result.back() != '-')
      result += '-';
  }
  return result;
}

} // namespace cudacc::versions
