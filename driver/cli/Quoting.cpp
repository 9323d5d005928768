// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Quoting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/StringSaver.h"
#include <string>

using llvm::BumpPtrAllocator;
using llvm::StringRef;

namespace cudacc::cli {

namespace {

/// Rules for splitting a text into words.
struct Grammar {
  StringRef blanks;
  StringRef quotes;
  /// As in sh, a backslash in single quotes is an ordinary character.
  bool plainSingleQuotes = false;
  /// `""` is a word.
  bool emptyWords = true;
};

/// Unquoting never lengthens words, so one buffer of the text's size holds all of them.
void split(StringRef text, const Grammar &grammar, BumpPtrAllocator &arena, Words &words) {
  char *out = arena.Allocate<char>(text.size() + 1);
  size_t at = 0;
  while (true) {
    while (at < text.size() && grammar.blanks.contains(text[at]))
      ++at;
    if (at >= text.size())
      return;
    char *begin = out;
    char quote = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
      char c = text[at];
      if (!quote && grammar.blanks.contains(c))
        break;
      if (c == '\\' && at + 1 < text.size() && !(quote == '\'' && grammar.plainSingleQuotes)) {
        *out++ = text[++at];
      } else if (quote ? c == quote : grammar.quotes.contains(c)) {
        quote = quote ? '\0' : c;
        quoted = true;
      } else {
        *out++ = c;
      }
    }
    if (out != begin || (quoted && grammar.emptyWords))
      words.push_back(StringRef(begin, size_t(out - begin)));
  }
}

} // namespace

void splitGccFile(StringRef text, BumpPtrAllocator &arena, Words &words) {
  split(text, {" \t\n\v\f\r", "'\""}, arena, words);
}

/// Without a byte order mark, which clang reads: of UTF-8, or of UTF-16, which becomes UTF-8.
static StringRef withoutMark(StringRef text, BumpPtrAllocator &arena) {
  text.consume_front("\xef\xbb\xbf");
  llvm::ArrayRef<char> bytes(text.data(), text.size());
  std::string converted;
  bool isUtf16 = text.size() % 2 == 0 && llvm::hasUTF16ByteOrderMark(bytes) &&
                 llvm::convertUTF16ToUTF8String(bytes, converted);
  return isUtf16 ? StringRef(converted).copy(arena) : text;
}

void splitClangFile(StringRef text, BumpPtrAllocator &arena, Words &words) {
  text = withoutMark(text, arena);
  split(text, {" \t\n\r", "'\"", false, /*emptyWords=*/false}, arena, words);
}

void splitConfigFile(StringRef text, BumpPtrAllocator &arena, Words &words) {
  llvm::StringSaver saver(arena);
  llvm::SmallVector<const char *, 64> split;
  llvm::cl::tokenizeConfigFile(withoutMark(text, arena), saver, split);
  words.append(split.begin(), split.end());
}

void splitOptionsFile(StringRef text, BumpPtrAllocator &arena, Words &words) {
  split(text, {" \t\n\r", "\""}, arena, words);
}

void splitVariable(StringRef text, Words &words) {
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t", at);
    if (at == StringRef::npos)
      return;
    size_t begin = at;
    bool quoted = false;
    for (; at < text.size() && (quoted || (text[at] != ' ' && text[at] != '\t')); ++at) {
      if (quoted && text[at] == '\\' && at + 1 < text.size())
        ++at;
      else if (text[at] == '"')
        quoted = !quoted;
    }
    words.push_back(text.slice(begin, at));
  }
}

void splitList(StringRef value, BumpPtrAllocator &arena, Words &items) {
  if (!value.contains('\\') && !value.contains('"'))
    return value.split(items, ',', -1, /*KeepEmpty=*/false);
  char *out = arena.Allocate<char>(value.size());
  bool quoted = false;
  for (size_t at = 0; at < value.size(); ++at) {
    char *begin = out;
    for (; at < value.size() && (quoted || value[at] != ','); ++at) {
      if (value[at] == '\\' && at + 1 < value.size())
        ++at;
      else if (value[at] == '"')
        quoted = !quoted;
      *out++ = value[at];
    }
    if (out != begin)
      items.push_back(StringRef(begin, size_t(out - begin)));
  }
}

void splitForwarded(StringRef value, BumpPtrAllocator &arena, Words &words) {
  if (llvm::none_of(value, [](char c) { return StringRef(" \t\n\\\"'").contains(c); }))
    return value.split(words, ',', -1, /*KeepEmpty=*/false);
  llvm::SmallVector<StringRef, 8> items;
  splitList(value, arena, items);
  std::string line;
  for (StringRef item : items) {
    line += item;
    line += ' ';
  }
  split(line, {" \t\n", "'\"", /*plainSingleQuotes=*/true}, arena, words);
}

} // namespace cudacc::cli
