// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ShellWord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::support {

using llvm::StringRef;

std::string shellWord(llvm::StringRef word) {
  bool plain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("-_./:=+,@%").contains(c);
  });
  if (plain)
    return word.str();
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

namespace {

class Splitter {
public:
  explicit Splitter(StringRef line) : line(line) {}

  std::vector<std::vector<std::string>> split() {
    for (; at < line.size(); ++at)
      take(line[at]);
    endCommand();
    return std::move(commands);
  }

private:
  StringRef line;
  size_t at = 0;
  std::vector<std::vector<std::string>> commands;
  std::vector<std::string> words;
  std::string word;
  bool inWord = false, dropsNext = false;

  void take(char c) {
    if (llvm::isSpace(c))
      return endWord();
    if (c == '&' || c == '|' || c == ';')
      return endCommand();
    if (c == '<' || c == '>')
      return redirect();
    inWord = true;
    if (c == '\'')
      return takeQuoted();
    if (c == '"')
      return takeDoubleQuoted();
    if (c == '\\' && at + 1 < line.size())
      ++at;
    word += line[at];
  }

  void takeQuoted() {
    size_t end = std::min(line.find('\'', at + 1), line.size());
    word += line.slice(at + 1, end);
    at = end;
  }

  void takeDoubleQuoted() {
    for (++at; at < line.size() && line[at] != '"'; ++at) {
      bool escapes =
          line[at] == '\\' && at + 1 < line.size() && StringRef("\\\"$`").contains(line[at + 1]);
      at += escapes;
      word += line[at];
    }
  }

  /// Skips a redirection: `2>&1`, `> FILE`.
  void redirect() {
    if (llvm::all_of(word, llvm::isDigit))
      word.clear(), inWord = false;
    endWord();
    while (at + 1 < line.size() && StringRef("<>&").contains(line[at + 1]))
      ++at;
    dropsNext = true;
  }

  void endWord() {
    if (!inWord)
      return;
    if (!dropsNext)
      words.push_back(std::move(word));
    word.clear();
    inWord = dropsNext = false;
  }

  void endCommand() {
    endWord();
    dropsNext = false;
    if (!words.empty())
      commands.push_back(std::move(words));
    words.clear();
  }
};

} // namespace

std::vector<std::vector<std::string>> splitShellLine(StringRef line) {
  return Splitter(line).split();
}

} // namespace cudacc::support
