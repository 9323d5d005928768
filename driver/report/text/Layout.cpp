// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Layout.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

namespace cudacc::report {

static constexpr size_t longestText = 4096;

std::string painted(llvm::StringRef text, Paint paint, Style style) {
  if (!style.colour || paint == Paint::Plain || text.empty())
    return text.str();
  static constexpr const char *sequences[] = {"",         "\033[1;31m", "\033[35m",
                                              "\033[34m", "\033[2m",    "\033[32m"};
  return fmt::format("{}{}\033[0m", sequences[static_cast<size_t>(paint)], text);
}

static void escape(std::string &out, unsigned char byte) {
  switch (byte) {
  case '\n':
    out += "\\n";
    return;
  case '\r':
    out += "\\r";
    return;
  case '\t':
    out += "\\t";
    return;
  default:
    out += "\\x";
    out += llvm::hexdigit(byte >> 4, true);
    out += llvm::hexdigit(byte & 15, true);
  }
}

/// Appends the first character of \p text and returns its length in bytes.
static size_t appendCharacter(std::string &out, llvm::StringRef text) {
  auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) {
    if (byte >= 0x20 && byte != 0x7f)
      out += text.front();
    else
      escape(out, byte);
    return 1;
  }
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const llvm::UTF8 *next = begin;
  llvm::UTF32 point = 0;
  if (llvm::convertUTF8Sequence(&next, begin + text.size(), &point, llvm::strictConversion) !=
      llvm::conversionOK) {
    escape(out, byte);
    return 1;
  }
  size_t length = next - begin;
  namespace unicode = llvm::sys::unicode;
  if (unicode::isPrintable(int(point)) && !unicode::isFormatting(int(point)))
    out += text.take_front(length);
  else
    out += fmt::format("\\u{{{}}}", llvm::utohexstr(point, true));
  return length;
}

/// True if \p rest begins with a command that Azure, which GitHub reads too, or TeamCity obey
/// anywhere.
static bool isCommandAnywhere(llvm::StringRef rest) {
  return rest.starts_with("##[") || rest.starts_with("##vso[") || rest.starts_with("##teamcity[");
}

/// True if a command for a CI begins at \p position: GitHub's at the beginning of a line, after
/// blanks of any kind, and those of others anywhere.
static bool isCommand(llvm::StringRef text, size_t position) {
  char before = position ? text[position - 1] : ' ';
  bool mayBegin = before == ' ' || before == '\t' || !llvm::isASCII(before);
  llvm::StringRef rest = text.drop_front(position);
  bool isGithubs = rest.size() > 2 && rest.starts_with("::") && llvm::isAlpha(rest[2]);
  return (mayBegin && isGithubs) || isCommandAnywhere(rest);
}

/// Appends \p text as far as \p longest and returns the number of bytes.
static size_t appendPrintable(std::string &out, llvm::StringRef text, size_t longest,
                              bool keepsTabs) {
  size_t position = 0;
  while (position < text.size() && position < longest)
    if (isCommand(text, position)) {
      escape(out, text[position++]);
    } else if (keepsTabs && text[position] == '\t') {
      out += text[position++];
    } else {
      position += appendCharacter(out, text.drop_front(position));
    }
  return position;
}

std::string printableLines(llvm::StringRef text) {
  std::string out;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    appendPrintable(out, line, line.size(), /*keepsTabs=*/true);
    out += '\n';
    text = rest;
  }
  return out;
}

std::string printable(llvm::StringRef text) {
  std::string out;
  size_t position = appendPrintable(out, text, longestText, /*keepsTabs=*/false);
  if (position < text.size())
    out += fmt::format("... ({} more bytes)", text.size() - position);
  return out;
}

/// UTF-16, as JSON escapes it.
static void escapeJson(std::string &out, llvm::UTF32 point) {
  if (point < 0x10000) {
    out += fmt::format("\\u{:04x}", point);
    return;
  }
  point -= 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (point >> 10), 0xdc00 + (point & 0x3ff));
}

/// Appends the first character of \p json and returns its length in bytes.
static size_t appendJsonCharacter(std::string &out, llvm::StringRef json) {
  constexpr char del = 0x7f;
  if (json.front() == del || isCommandAnywhere(json)) {
    escapeJson(out, json.front());
    return 1;
  }
  std::string shown;
  size_t length = appendCharacter(shown, json);
  llvm::UTF32 point = 0;
  const auto *next = reinterpret_cast<const llvm::UTF8 *>(json.begin());
  bool isEscaped = shown != json.take_front(length) &&
                   llvm::convertUTF8Sequence(&next, next + json.size(), &point,
                                             llvm::strictConversion) == llvm::conversionOK;
  if (isEscaped && point >= 0x80)
    escapeJson(out, point);
  else
    out += json.take_front(length);
  return length;
}

std::string printableJson(std::string json) {
  auto isOrdinary = [](char c) { return llvm::isASCII(c) && c != 0x7f && c != '#'; };
  if (llvm::all_of(json, isOrdinary))
    return json;
  std::string out;
  out.reserve(json.size());
  llvm::StringRef rest = json;
  while (!rest.empty()) {
    llvm::StringRef plain = rest.take_while(isOrdinary);
    out += plain;
    rest = rest.drop_front(plain.size());
    if (!rest.empty())
      rest = rest.drop_front(appendJsonCharacter(out, rest));
  }
  return out;
}

unsigned columns(llvm::StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

std::string padded(llvm::StringRef text, unsigned width) {
  std::string out = text.str();
  unsigned have = columns(text);
  if (have < width)
    out.append(width - have, ' ');
  return out;
}

std::string wrapped(llvm::StringRef text, unsigned column, unsigned indent, unsigned limit) {
  std::string out;
  bool lineBegins = true;
  while (true) {
    auto [word, rest] = text.split(' ');
    unsigned width = columns(word);
    if (lineBegins) {
      out += word;
      column += width;
    } else if (column + 1 + width <= limit) {
      out += ' ';
      out += word;
      column += 1 + width;
    } else {
      out += '\n';
      out.append(indent, ' ');
      out += word;
      column = indent + width;
    }
    lineBegins = false;
    if (rest.empty())
      return out;
    text = rest;
  }
}

/// A single longer name (libcudnn_engines_runtime_compiled.so.9) does not narrow the last column of
/// all rows.
static constexpr unsigned widestCell = 34;
/// A last column narrower than this goes below its row instead of wrapping word by word.
static constexpr unsigned narrowestLast = 30, deeperLast = 4;

/// Whether the last cell would take more than two lines, or end beyond the limit, in a column that
/// is too narrow.
static bool isSqueezed(llvm::StringRef cell, unsigned width) {
  if (width >= narrowestLast || columns(cell) <= width)
    return false;
  for (llvm::StringRef word : llvm::split(cell, ' '))
    if (columns(word) > width)
      return true;
  return columns(cell) > 2 * width;
}

std::string table(llvm::ArrayRef<std::vector<std::string>> rows, unsigned indent, unsigned limit) {
  std::vector<unsigned> widths;
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i)
        widths.push_back(0);
      widths[i] = std::max(widths[i], std::min(columns(row[i]), widestCell));
    }
  std::string out;
  for (const std::vector<std::string> &row : rows) {
    std::string line(indent, ' ');
    unsigned column = indent, end = indent;
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      end += widths[i] + 2;
      unsigned width = std::max(columns(row[i]) + 2, end > column ? end - column : 0);
      line += padded(row[i], width);
      column += width;
    }
    if (row.size() > 1 && isSqueezed(row.back(), column < limit ? limit - column : 0)) {
      out += fmt::format("{}\n", llvm::StringRef(line).rtrim(' '));
      column = indent + deeperLast;
      line.assign(column, ' ');
    }
    if (!row.empty())
      line += wrapped(row.back(), column, column, limit);
    out += llvm::StringRef(line).rtrim(' ');
    out += '\n';
  }
  return out;
}

} // namespace cudacc::report
