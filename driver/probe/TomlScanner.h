#pragma once

#include "driver/probe/TomlDocument.h"
#include <optional>

namespace cudacc::probe {

/// What stands at a place in a TOML text; the grammar of tables is TomlDocument.cpp's. Every step
/// returns false, or nothing, where it set the error; the first error stays.
class TomlScanner {
public:
  TomlScanner(llvm::StringRef text, TomlError &error) : text(text), error(error) {}

  /// The text is UTF-8.
  bool checkEncoding();
  bool atEnd() const { return at == text.size(); }
  /// NUL at the end, which no text may have elsewhere.
  char peek(size_t ahead = 0) const { return ahead < text.size() - at ? text[at + ahead] : '\0'; }
  bool startsWith(llvm::StringRef what) const { return text.substr(at).starts_with(what); }
  void skip(size_t count = 1) { at += count; }
  TomlPlace place() { return placeOf(at); }

  bool fail(const llvm::Twine &why) { return failAt(place(), why); }
  bool failAt(TomlPlace place, const llvm::Twine &why);
  /// "expected WHAT, not 'x'": foreign text itself is printed only as far as it is plain.
  bool failExpecting(llvm::StringRef what);
  void skipBlanks();
  /// A line break; false where there is none, without an error.
  bool skipNewline();
  /// Blanks and a comment.
  bool skipRestOfLine();
  /// That and a line break, or the end of the text.
  bool endLine();
  /// Blanks, comments, line breaks.
  bool skipLines();

  /// A part of a key.
  std::optional<std::string> keyPart();
  /// A value that is no list and no table.
  std::optional<TomlValue> scalar();

private:
  llvm::StringRef text;
  TomlError &error;
  size_t at = 0;
  /// The latest place that was asked for; places are asked for in their order.
  size_t knownAt = 0;
  TomlPlace known{1, 1};

  TomlPlace placeOf(size_t offset);
  bool failBack(size_t offset, const llvm::Twine &why) { return failAt(placeOf(offset), why); }
  bool isAllowed(char c);
  std::optional<std::string> string(bool mayBeMultiline);
  bool stringBody(char quote, bool isMultiline, std::string &out);
  bool escape(bool isMultiline, std::string &out);
  bool unicodeEscape(unsigned digits, std::string &out);
};

/// What an unquoted value is by its spelling; nothing: none.
std::optional<TomlValue::Kind> kindOfTomlWord(llvm::StringRef word);

} // namespace cudacc::probe
