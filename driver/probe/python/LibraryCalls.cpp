// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/LibraryCalls.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using llvm::StringRef;

namespace {

/// Precedes the names of libraries that only their folder identifies.
constexpr llvm::StringLiteral NvidiaFolder = "nvidia/";

/// Implements just as much of Python's lexical grammar as names, strings and brackets require.
class Scanner {
public:
  Scanner(StringRef source, StringRef file) : source(source), file(file) {}
  std::vector<LibraryCall> scan();

private:
  /// Calls, and names for each: no source has as many.
  static constexpr size_t most = 1000;
  StringRef source, file;
  size_t at = 0;
  unsigned line = 1;
  /// Bracket depth within the current call; 0 outside of calls.
  unsigned depth = 0;
  /// Patterns from all string literals of the file, used for calls without literals of their own.
  std::vector<std::string> everywhere;
  std::vector<LibraryCall> calls;
  /// Per call: it names a library of another operating system (`vcruntime140.dll`).
  std::vector<bool> isElsewhere;
  /// The current call is cuda.pathfinder's, which takes short names.
  bool isShort = false;
  StringRef last;
  /// The current top-level function.
  std::string function;
  bool isFunction = false;

  void skipComment() { at = std::min(source.find('\n', at), source.size()); }
  void readName();
  void readString(StringRef prefix);
  void readOther(char c);
  std::string plainName() const;
  void begin(StringRef name);
  void note(std::string pattern);
  std::string lineText(size_t place) const;
};

} // namespace

static bool isOpener(StringRef name) {
  static constexpr StringRef openers[] = {"CDLL",
                                          "PyDLL",
                                          "LoadLibrary",
                                          "dlopen",
                                          "load_library",
                                          "load_nvidia_dynamic_lib",
                                          "add_dll_directory"};
  return llvm::is_contained(openers, name);
}

std::string Scanner::lineText(size_t place) const {
  size_t from = source.rfind('\n', place);
  from = from == StringRef::npos ? 0 : from + 1;
  return source.slice(from, source.find('\n', place)).trim().str();
}

/// The first argument if it is one literal without directory or placeholder; otherwise empty.
std::string Scanner::plainName() const {
  StringRef rest = source.substr(at + 1).ltrim();
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\''))
    return {};
  char quote = rest.front();
  size_t end = rest.find(quote, 1);
  if (end == StringRef::npos)
    return {};
  StringRef text = rest.slice(1, end), behind = rest.substr(end + 1).ltrim();
  bool isPlain = !text.empty() && text.find_first_of("/\\%{}\n") == StringRef::npos;
  bool isAll = behind.starts_with(",") || behind.starts_with(")");
  return isPlain && isAll ? text.str() : "";
}

void Scanner::begin(StringRef name) {
  // `def load_library(` and `class CDLL(` are definitions; a nested call belongs to the outer one.
  if (last == "def" || last == "class" || depth || calls.size() == most)
    return;
  LibraryCall call;
  call.file = file.str();
  call.line = line;
  call.text = lineText(at ? at - 1 : 0);
  call.function = function;
  // The other functions also search outside of the loader's path.
  if (name == "CDLL" || name == "PyDLL" || name == "LoadLibrary" || name == "dlopen")
    call.plainName = plainName();
  calls.push_back(std::move(call));
  isElsewhere.push_back(false);
  isShort = name == "load_nvidia_dynamic_lib";
  depth = 1;
  ++at;
}

void Scanner::readName() {
  size_t from = at;
  while (at < source.size() && (llvm::isAlnum(source[at]) || source[at] == '_'))
    ++at;
  StringRef name = source.slice(from, at);
  // A name in the first column ends the function before it.
  if (!depth && (!from || source[from - 1] == '\n')) {
    function.clear();
    isFunction = name == "def" || name == "async";
  } else if (last == "def" && std::exchange(isFunction, false)) {
    function = name.str();
  }
  if (at < source.size() && (source[at] == '"' || source[at] == '\'') && name.size() <= 2 &&
      name.find_first_not_of("rRbBfFuU") == StringRef::npos) {
    readString(name);
    return;
  }
  size_t next = source.find_first_not_of(" \t", at);
  if (next != StringRef::npos && source[next] == '(' && isOpener(name)) {
    at = next;
    begin(name);
  }
  last = name;
}

/// Records \p pattern, the name of a library or a part of its path.
void Scanner::note(std::string pattern) {
  StringRef name = nameOf(pattern).empty() ? StringRef(pattern) : nameOf(pattern);
  if (name.ends_with(".dll") || name.ends_with(".dylib") || name.ends_with(".pyd")) {
    if (depth)
      isElsewhere.back() = true;
    return;
  }
  bool isLibrary = name.contains(".so") || name.starts_with("lib");
  if (!isLibrary && !(isShort && depth))
    return;
  std::string text = isLibrary ? name.str() : fmt::format("lib{}.so*", name);
  if (!StringRef(text).contains(".so"))
    text += ".so*";
  // `lib*.so` and `{name}.so` do not identify a library; below `nvidia` they are any of NVIDIA's.
  StringRef said = text;
  said.consume_front("lib");
  said = said.take_front(said.find(".so"));
  if (llvm::count_if(said, [](char c) { return llvm::isAlnum(c); }) < 3) {
    if (!StringRef(pattern).contains("nvidia/"))
      return;
    text = NvidiaFolder.str() + text;
  }
  if (depth)
    calls.back().names.push_back(text);
  if (everywhere.size() < most)
    everywhere.push_back(std::move(text));
}

/// Replaces the other kinds of placeholders, and globs for single characters or sets of them.
static std::string withoutPlaceholders(StringRef text) {
  std::string out;
  while (true) {
    size_t place = std::min(text.find_first_of("%?[{"), text.size());
    out += text.take_front(place);
    if (place == text.size())
      return out;
    size_t end = text[place] == '['   ? text.find(']', place)
                 : text[place] == '{' ? text.find('}', place)
                 : text[place] == '%' ? place + 1
                                      : place;
    out += '*';
    text = text.drop_front(std::min(end, text.size() - 1) + 1);
  }
}

void Scanner::readString(StringRef prefix) {
  char quote = source[at];
  bool isRaw = prefix.contains_insensitive('r'), isFormat = prefix.contains_insensitive('f');
  bool isLong = source.substr(at).starts_with(std::string(3, quote));
  at += isLong ? 3 : 1;
  std::string text;
  unsigned braces = 0;
  for (; at < source.size(); ++at) {
    char c = source[at];
    if (isLong ? source.substr(at).starts_with(std::string(3, quote)) : c == quote && !braces) {
      at += isLong ? 3 : 1;
      break;
    }
    if (c == '\n') {
      ++line;
      // An unterminated literal ends with its line.
      if (!isLong) {
        ++at;
        break;
      }
    }
    if (c == '\\' && at + 1 < source.size()) {
      text += isRaw ? "" : "*";
      if (source[++at] == '\n')
        ++line;
      continue;
    }
    bool isDouble = isFormat && !braces && source.substr(at, 2) == std::string(2, c);
    if (isFormat && (c == '{' || c == '}') && !(isDouble && (c == '{' || c == '}'))) {
      if (c == '{' && !braces++)
        text += '*';
      else if (c == '}' && braces)
        --braces;
      continue;
    }
    if (isDouble && (c == '{' || c == '}'))
      ++at;
    if (!braces)
      text += c;
  }
  if (!isLong)
    note(withoutPlaceholders(text));
  last = "";
}

void Scanner::readOther(char c) {
  if (c == '\n')
    ++line;
  if (depth && (c == '(' || c == '[' || c == '{'))
    ++depth;
  else if (depth && (c == ')' || c == ']' || c == '}'))
    --depth;
  if (c != ' ' && c != '\t')
    last = "";
  ++at;
}

std::vector<LibraryCall> Scanner::scan() {
  while (at < source.size()) {
    char c = source[at];
    if (c == '#')
      skipComment();
    else if (llvm::isAlpha(c) || c == '_')
      readName();
    else if (c == '"' || c == '\'')
      readString("");
    else
      readOther(c);
  }
  std::vector<LibraryCall> found;
  for (size_t i = 0; i != calls.size(); ++i) {
    if (calls[i].names.empty() && isElsewhere[i])
      continue;
    if (calls[i].names.empty())
      calls[i].names = everywhere;
    found.push_back(std::move(calls[i]));
  }
  return found;
}

/// A quick filter: most sources contain none of these words.
static bool mayCall(StringRef source) {
  return source.contains("DLL") || source.contains("LoadLibrary") || source.contains("dlopen") ||
         source.contains("load_library") || source.contains("load_nvidia_dynamic_lib") ||
         source.contains("add_dll_directory");
}

std::vector<LibraryCall> libraryCalls(StringRef source, StringRef file) {
  return mayCall(source) ? Scanner(source, file).scan() : std::vector<LibraryCall>();
}

/// The encoding declared in the first two lines (PEP 263), in lower case; empty if none.
static std::string declaredEncoding(StringRef source) {
  for (unsigned line = 0; line != 2; ++line) {
    auto [text, rest] = source.split('\n');
    source = rest;
    StringRef comment = text.ltrim(" \t\f");
    if (!comment.consume_front("#"))
      continue;
    for (size_t at = comment.find("coding"); at != StringRef::npos;
         at = comment.find("coding", at + 1)) {
      StringRef name = comment.substr(at + strlen("coding"));
      if (!name.consume_front(":") && !name.consume_front("="))
        continue;
      name = name.ltrim(" \t").take_while(
          [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; });
      std::string lower = name.lower();
      std::replace(lower.begin(), lower.end(), '_', '-');
      return lower;
    }
  }
  return {};
}

std::string whyUnsearchable(StringRef source) {
  std::string encoding = declaredEncoding(source);
  StringRef name = encoding;
  // Encodings in which a byte below 0x80 is the ASCII character.
  static constexpr StringRef asciiLike[] = {"utf-8",   "utf8",  "latin", "iso-8859",
                                            "iso8859", "ascii", "cp125", "windows-",
                                            "koi8",    "euc-",  "l1",    "us-ascii"};
  bool isAsciiLike =
      llvm::any_of(asciiLike, [&](StringRef prefix) { return name.starts_with(prefix); });
  if (!name.empty() && !isAsciiLike)
    return "its encoding is " + encoding;
  // If none of the words is in the file, no call can be missed, whatever the encoding.
  bool isText = !name.empty() && !name.starts_with("utf");
  if (isText || !mayCall(source) || llvm::json::isUTF8(source))
    return {};
  return "it is not UTF-8";
}

const LibraryCall *callFor(const std::vector<LibraryCall> &calls, StringRef library, bool byName) {
  const LibraryCall *folder = nullptr;
  for (const LibraryCall &call : calls) {
    if (!byName && !call.plainName.empty())
      continue;
    bool isFor = llvm::any_of(call.names, [&](StringRef pattern) {
      if (pattern.consume_front(NvidiaFolder) && !tables::runtimeLibrary(library))
        return false;
      // `libcudart.so` also matches names with a version suffix, which code may append.
      return tables::matchesPattern(pattern, library) ||
             (pattern.ends_with(".so") &&
              tables::matchesPattern(fmt::format("{}.*", pattern), library)) ||
             (pattern.ends_with(".so.") &&
              tables::matchesPattern(fmt::format("{}*", pattern), library));
    });
    // A call that opens the library is preferred to one that only adds a search directory.
    if (isFor && !StringRef(call.text).contains("add_dll_directory"))
      return &call;
    if (isFor && !folder)
      folder = &call;
  }
  return folder;
}

} // namespace cudacc::probe
