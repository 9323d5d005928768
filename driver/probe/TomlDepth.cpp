#include "driver/probe/TomlDepth.h"

namespace cudacc::probe {

/// Index behind the string that begins at \p at; an unterminated one ends with its line.
static size_t skipString(llvm::StringRef text, size_t at) {
  char quote = text[at];
  std::string triple(3, quote);
  bool multiline = text.substr(at).starts_with(triple);
  size_t i = at + (multiline ? 3 : 1);
  for (; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
      continue;
    }
    if (multiline) {
      if (text.substr(i).starts_with(triple)) {
        i += 3;
        // Up to two more quotes belong to the text and stand before the closing three.
        while (i < text.size() && text[i] == quote)
          ++i;
        return i;
      }
    } else if (text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n') {
      return i;
    }
  }
  return text.size();
}

static TomlPlace placeOf(llvm::StringRef text, size_t at) {
  llvm::StringRef before = text.take_front(at);
  size_t lineStart = before.rfind('\n');
  return {unsigned(before.count('\n') + 1),
          unsigned(lineStart == llvm::StringRef::npos ? at + 1 : at - lineStart)};
}

std::optional<TomlPlace> deeperThan(llvm::StringRef text, unsigned limit) {
  unsigned brackets = 0, dots = 0;
  for (size_t i = 0; i < text.size();) {
    switch (text[i]) {
    case '"':
    case '\'':
      i = skipString(text, i);
      continue;
    case '#':
      i = std::min(text.find('\n', i), text.size());
      continue;
    case '[':
    case '{':
      ++brackets;
      dots = 0;
      break;
    case ']':
    case '}':
      brackets -= brackets != 0;
      dots = 0;
      break;
    case '=':
    case ',':
    case '\n':
      dots = 0;
      break;
    case '.':
      ++dots;
      break;
    default:
      break;
    }
    if (brackets > limit || dots > limit)
      return placeOf(text, i);
    ++i;
  }
  return std::nullopt;
}

} // namespace cudacc::probe
