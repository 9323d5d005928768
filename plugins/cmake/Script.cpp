// SPDX-License-Identifier: Apache-2.0
#include "plugins/cmake/Script.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::cmake {

using llvm::StringRef;

StringRef ScriptCommand::after(StringRef keyword) const {
  for (size_t i = 0; i + 1 < arguments.size(); ++i)
    if (arguments[i] == keyword)
      return arguments[i + 1];
  return "";
}

bool ScriptCommand::has(StringRef keyword) const { return llvm::is_contained(arguments, keyword); }

namespace {

class ScriptReader {
public:
  explicit ScriptReader(StringRef text) : text(text) {}

  void read(llvm::function_ref<void(const ScriptCommand &)> onCommand) {
    while (at < text.size()) {
      char c = text[at];
      if (c == '#') {
        skipComment();
      } else if (llvm::isAlpha(c) || c == '_') {
        ScriptCommand command;
        command.name = takeName().lower();
        skipBlanks();
        if (at < text.size() && text[at] == '(') {
          takeArguments(command);
          onCommand(command);
        }
      } else {
        ++at;
      }
    }
  }

private:
  StringRef text;
  size_t at = 0;

  void skipComment() {
    if (size_t size = bracketSize(at + 1))
      skipBracket(at + 1, size);
    else
      at = std::min(text.find('\n', at), text.size());
  }
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }
  StringRef takeName() {
    size_t begin = at;
    while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_'))
      ++at;
    return text.slice(begin, at);
  }
  /// Length of `[==[` at \p begin; 0 if there is none.
  size_t bracketSize(size_t begin) const {
    if (begin >= text.size() || text[begin] != '[')
      return 0;
    size_t end = begin + 1;
    while (end < text.size() && text[end] == '=')
      ++end;
    return end < text.size() && text[end] == '[' ? end - begin + 1 : 0;
  }
  /// Returns the text between the brackets.
  StringRef skipBracket(size_t begin, size_t size) {
    std::string close = fmt::format("]{}]", std::string(size - 2, '='));
    size_t end = std::min(text.find(close, begin + size), text.size());
    at = std::min(end + close.size(), text.size());
    return text.slice(begin + size, end);
  }

  void takeArguments(ScriptCommand &command) {
    unsigned depth = 0;
    std::string word;
    bool inWord = false;
    auto end = [&] {
      if (inWord)
        command.arguments.push_back(std::move(word));
      word.clear();
      inWord = false;
    };
    while (at < text.size()) {
      char c = text[at];
      if (llvm::isSpace(c)) {
        end();
        ++at;
      } else if (c == '(' || c == ')') {
        end();
        ++at;
        if (c == ')' && --depth == 0)
          return;
        if (c == '(' && ++depth == 1)
          continue;
        command.arguments.emplace_back(1, c);
      } else if (c == '#' && !inWord) {
        skipComment();
      } else if (size_t size = inWord ? 0 : bracketSize(at)) {
        command.arguments.push_back(skipBracket(at, size).str());
      } else {
        inWord = true;
        takePart(word);
      }
    }
    end();
  }

  /// A quoted part, or one character of an unquoted one.
  void takePart(std::string &word) {
    if (text[at] != '"')
      return takeCharacter(word);
    for (++at; at < text.size() && text[at] != '"';)
      takeCharacter(word);
    at += at < text.size();
  }

  void takeCharacter(std::string &word) {
    bool escaped = text[at] == '\\' && at + 1 < text.size();
    at += escaped;
    char c = text[at++];
    if (escaped && c == '\n')
      return;
    word += escaped && c == 'n' ? '\n' : escaped && c == 't' ? '\t' : c;
  }
};

} // namespace

void readScript(StringRef text, llvm::function_ref<void(const ScriptCommand &)> onCommand) {
  ScriptReader(text).read(onCommand);
}

} // namespace cudacc::cmake
