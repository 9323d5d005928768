// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Expansion.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::loader {

/// Longer than any path that open(2) takes.
static constexpr size_t MaxPath = 4096;
/// No tool writes that many; bounds the work that a hostile file causes.
static constexpr size_t MaxDirectories = 4096;

namespace {
enum class Token { None, Origin, Platform, Lib };
struct Match {
  Token token = Token::None;
  /// Number of characters after the dollar sign.
  size_t length = 0;
};
} // namespace

/// \p text begins after the dollar sign.
static Match match(llvm::StringRef text) {
  bool braces = text.consume_front("{");
  for (auto [name, token] : {std::pair<llvm::StringRef, Token>{"ORIGIN", Token::Origin},
                             {"PLATFORM", Token::Platform},
                             {"LIB", Token::Lib}}) {
    if (!text.starts_with(name))
      continue;
    llvm::StringRef rest = text.drop_front(name.size());
    if (braces ? rest.starts_with("}")
               : rest.empty() || !(llvm::isAlnum(rest.front()) || rest.front() == '_'))
      return {token, name.size() + (braces ? 2 : 0)};
  }
  return {};
}

bool hasTokens(llvm::StringRef text) {
  for (size_t at = text.find('$'); at != llvm::StringRef::npos; at = text.find('$', at + 1))
    if (match(text.drop_front(at + 1)).token != Token::None)
      return true;
  return false;
}

std::string normal(llvm::StringRef path) {
  llvm::SmallVector<llvm::StringRef, 16> parts, kept;
  path.split(parts, '/', -1, false);
  for (llvm::StringRef part : parts) {
    if (part == "..") {
      if (!kept.empty())
        kept.pop_back();
    } else if (part != ".") {
      kept.push_back(part);
    }
  }
  return (path.starts_with("/") ? "/" : "") + llvm::join(kept, "/");
}

static bool isTrusted(llvm::StringRef path, llvm::ArrayRef<std::string> directories) {
  std::string whole = normal(path) + "/";
  return llvm::any_of(directories, [&](const std::string &directory) {
    return llvm::StringRef(whole).starts_with(directory + "/");
  });
}

std::string expand(llvm::StringRef text, const Tokens &tokens) {
  std::string result;
  bool usesOrigin = false;
  for (size_t at = 0; at < text.size() && result.size() <= MaxPath;) {
    Match found;
    if (text[at] == '$')
      found = match(text.drop_front(at + 1));
    llvm::StringRef value;
    switch (found.token) {
    case Token::None:
      result += text[at++];
      continue;
    case Token::Origin:
      // In a secure program, only as the whole first component of the element.
      if (tokens.secure &&
          (at != 0 || (text.size() > 1 + found.length && text[1 + found.length] != '/')))
        return {};
      usesOrigin = true;
      value = tokens.origin;
      break;
    case Token::Platform:
      value = tokens.platform;
      break;
    case Token::Lib:
      value = tokens.lib;
      break;
    }
    if (value.empty())
      return {};
    result += value;
    at += 1 + found.length;
  }
  if (result.size() > MaxPath)
    return {};
  if (usesOrigin && tokens.secure && !tokens.trusted.empty() && !isTrusted(result, tokens.trusted))
    return {};
  return result;
}

std::vector<Directory> directories(llvm::ArrayRef<std::string> elements, const Tokens &tokens,
                                   bool &cut) {
  std::vector<Directory> result;
  llvm::StringSet<> seen;
  for (const std::string &element : elements) {
    std::string prefix;
    if (!element.empty()) {
      prefix = expand(element, tokens);
      if (prefix.empty() || prefix.size() > MaxPath)
        continue;
      prefix.resize(llvm::StringRef(prefix).rtrim('/').size());
      prefix += '/';
    }
    if (!seen.insert(prefix).second)
      continue;
    if (result.size() == MaxDirectories) {
      cut = true;
      break;
    }
    result.push_back({std::move(prefix), element});
  }
  return result;
}

std::vector<Directory> besideOrigin(llvm::ArrayRef<std::string> elements, llvm::StringRef origin) {
  std::vector<std::string> relative;
  llvm::copy_if(elements, std::back_inserter(relative),
                [](llvm::StringRef element) { return support::consumeOrigin(element); });
  bool cut = false;
  return directories(relative, {origin, "", "", false, {}}, cut);
}

std::string absolute(llvm::StringRef path, llvm::StringRef workingDirectory) {
  if (path.starts_with("/"))
    return path.str();
  return fmt::format("{}{}{}", workingDirectory, workingDirectory.ends_with("/") ? "" : "/", path);
}

std::string originOf(llvm::StringRef path, llvm::StringRef workingDirectory) {
  std::string full = absolute(path, workingDirectory);
  size_t slash = full.rfind('/');
  return slash == 0 ? "/" : full.substr(0, slash);
}

} // namespace cudacc::loader
