// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/Dryrun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::ninja {

using llvm::StringRef;

/// `NAME` of `NAME=value`; empty if \p line does not begin like that.
static StringRef variableIn(StringRef line) {
  StringRef name = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  bool isName = !name.empty() && !llvm::isDigit(name[0]);
  return isName && line.drop_front(name.size()).starts_with("=") ? name : "";
}

Dryrun readDryrun(StringRef text) {
  Dryrun read;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (!line.consume_front("#$ ")) {
      read.diagnostics += line;
      read.diagnostics += '\n';
      continue;
    }
    StringRef name = variableIn(line);
    if (name.empty())
      read.commands.push_back(line.str());
    else
      read.variables.emplace_back(name.str(), line.drop_front(name.size() + 1).str());
  }
  return read;
}

namespace {
class Splitter {
public:
  Splitter(StringRef text, llvm::ArrayRef<std::pair<std::string, std::string>> variables)
      : text(text), variables(variables) {}

  std::optional<std::vector<CommandWord>> split() {
    while (skipBlanks()) {
      word = CommandWord();
      word.begin = at;
      while (at < text.size() && !isBlank(text[at]))
        if (!take())
          return std::nullopt;
      word.end = at;
      words.push_back(std::move(word));
    }
    return std::move(words);
  }

private:
  StringRef text;
  llvm::ArrayRef<std::pair<std::string, std::string>> variables;
  size_t at = 0;
  CommandWord word;
  std::vector<CommandWord> words;

  static bool isBlank(char c) { return c == ' ' || c == '\t'; }

  bool skipBlanks() {
    while (at < text.size() && isBlank(text[at]))
      ++at;
    return at < text.size();
  }

  /// Takes what begins here; false if it does not end.
  bool take() {
    char c = text[at];
    if (c == '\'')
      return takeSingle();
    if (c == '"')
      return takeDouble();
    if (c == '$' || c == '`')
      return takeExpansion();
    if (c == '\\') {
      if (++at == text.size())
        return false;
    } else if (StringRef(";|&<>()*?[{}#~\n").contains(c)) {
      word.isKnown = false;
    }
    word.value += text[at++];
    return true;
  }

  bool takeSingle() {
    size_t close = text.find('\'', at + 1);
    if (close == StringRef::npos)
      return false;
    word.value += text.slice(at + 1, close);
    at = close + 1;
    return true;
  }

  bool takeDouble() {
    for (++at; at < text.size() && text[at] != '"';) {
      if (text[at] == '$' || text[at] == '`') {
        if (!takeExpansion())
          return false;
        continue;
      }
      if (text[at] == '\\' && at + 1 < text.size() && StringRef("$`\"\\").contains(text[at + 1]))
        ++at;
      word.value += text[at++];
    }
    return at++ < text.size();
  }

  bool takeExpansion() {
    if (text[at] == '`') {
      size_t close = text.find('`', at + 1);
      if (close == StringRef::npos)
        return false;
      word.value += text.slice(at, close + 1);
      word.isKnown = false;
      at = close + 1;
      return true;
    }
    StringRef name =
        text.drop_front(at + 1).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
    auto known = llvm::find_if(llvm::reverse(variables),
                               [&](const auto &each) { return name == each.first; });
    if (known == variables.rend()) {
      word.isKnown = false;
      word.value += text[at++];
      return true;
    }
    word.value += known->second;
    at += 1 + name.size();
    return true;
  }
};
} // namespace

std::optional<std::vector<CommandWord>>
splitCommand(StringRef command, llvm::ArrayRef<std::pair<std::string, std::string>> variables) {
  return Splitter(command, variables).split();
}

} // namespace cudacc::ninja
