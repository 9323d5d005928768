// SPDX-License-Identifier: Apache-2.0
#include "plugins/meson/Places.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::meson {

using llvm::StringRef;

static bool makesTargets(StringRef function) {
  static constexpr StringRef names[] = {"executable",    "library",        "shared_library",
                                        "shared_module", "static_library", "both_libraries",
                                        "build_target",  "custom_target",  "extension_module"};
  return llvm::is_contained(names, function);
}

namespace {

/// Tokenizer for Meson's language.
class Scanner {
public:
  explicit Scanner(StringRef rest) : rest(rest) {}

  /// The next word, string (with its first quote) or character; empty at the end.
  StringRef next() {
    skipBlank();
    if (rest.empty())
      return "";
    if (rest.starts_with("'"))
      return take(endOfText());
    size_t end = 0;
    while (end < rest.size() && (llvm::isAlnum(rest[end]) || rest[end] == '_'))
      ++end;
    return take(std::max<size_t>(end, 1));
  }
  unsigned line() const { return current; }

private:
  StringRef rest;
  unsigned current = 1;

  StringRef take(size_t count) {
    StringRef taken = rest.take_front(count);
    current += unsigned(taken.count('\n'));
    rest = rest.drop_front(taken.size());
    return taken;
  }
  void skipBlank() {
    while (!rest.empty() && (llvm::isSpace(rest[0]) || rest[0] == '#'))
      take(rest[0] == '#' ? std::min(rest.find('\n'), rest.size()) : 1);
  }
  size_t endOfText() const {
    if (rest.starts_with("'''")) {
      size_t end = rest.find("'''", 3);
      return end == StringRef::npos ? rest.size() : end + 3;
    }
    size_t end = 1;
    while (end < rest.size() && rest[end] != '\'')
      end += rest[end] == '\\' ? 2 : 1;
    return std::min(end + 1, rest.size());
  }
};

} // namespace

Places::Places(StringRef text) {
  Scanner scanner(text);
  StringRef function, before;
  unsigned line = 0;
  for (StringRef word = scanner.next(); !word.empty(); word = scanner.next()) {
    if (before == "(" && word.size() > 2 && word.starts_with("'") && makesTargets(function)) {
      auto [there, isNew] = lines.try_emplace(word.drop_front().drop_back(), line);
      if (!isNew)
        there->second = 0;
    }
    if (word != "(") {
      function = word;
      line = scanner.line();
    }
    before = word;
  }
}

unsigned Places::line(StringRef target) const { return lines.lookup(target); }

} // namespace cudacc::meson
