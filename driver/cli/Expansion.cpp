// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Expansion.h"
#include "driver/cli/Quoting.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cudacc::cli {

static Error broken(StringRef path, const llvm::Twine &why) {
  return makeError(Code::BrokenResponseFile, fmt::format("response file '{}' {}", path, why));
}

void Expansion::noteUnread(std::string what, std::string fix) {
  if (!unread)
    unread = UnreadWords{std::move(what), std::move(fix)};
}

Expected<std::optional<StringRef>> Expansion::read(StringRef path) {
  FileStatus status = files.stat(path);
  if (path == "/dev/null")
    return StringRef();
  if (status.kind == FileStatus::Kind::Other)
    noteUnread(fmt::format("response file '{}' is no ordinary file", path),
               "write it to a file and pass that");
  if (status.kind != FileStatus::Kind::Regular)
    return std::nullopt;
  if (status.id.size > limits.bytes - bytes)
    return broken(path, fmt::format("takes the response files over {} bytes", limits.bytes));
  auto text = llvm::expectedToOptional(files.read(path, limits.bytes - bytes));
  if (!text)
    return std::nullopt;
  bytes += text->size();
  return StringRef(*text).copy(arena);
}

Error Expansion::count(StringRef path, size_t more) {
  words += more;
  if (words > limits.words)
    return broken(path, fmt::format("takes the call over {} words", limits.words));
  return Error::success();
}

static std::vector<Word> wordsFrom(llvm::ArrayRef<StringRef> texts, const Word &from) {
  // Words of a file that a variable names are attributed to the variable.
  Word::Source source =
      from.source == Word::Source::Argv ? Word::Source::ResponseFile : from.source;
  std::vector<Word> result;
  result.reserve(texts.size());
  for (StringRef text : texts)
    result.push_back({text, source, from.arg});
  return result;
}

Error Expansion::appendHost(const Word &word, std::vector<Word> &out) {
  if (!word.text.starts_with("@")) {
    out.push_back(word);
    return Error::success();
  }
  StringRef path = word.text.drop_front();
  // gcc rejects more, in particular a loop, with its own message; cuda-cc then checks nothing.
  if (++hostFiles > limits.hostFiles) {
    if (dialect == Dialect::Clang)
      return broken(path, fmt::format("is one of more than {}", limits.hostFiles));
    out.push_back(word);
    return Error::success();
  }
  auto text = read(path);
  if (!text)
    return text.takeError();
  if (!*text) {
    out.push_back(word);
    return Error::success();
  }
  llvm::SmallVector<StringRef, 64> texts;
  if (dialect == Dialect::Clang)
    splitClangFile(**text, arena, texts);
  else
    splitGccFile(**text, arena, texts);
  if (Error error = count(path, texts.size()))
    return error;
  for (const Word &nested : wordsFrom(texts, word))
    if (Error error = appendHost(nested, out))
      return error;
  return Error::success();
}

/// clang looks for a name without slash in folders that were set when it was built, or by options.
Error Expansion::appendConfig(StringRef path, std::vector<Word> &out) {
  if (!path.contains('/')) {
    noteUnread(fmt::format("clang searches for configuration file '{}'", path),
               "name its folder: --config DIR/FILE");
    return Error::success();
  }
  if (++hostFiles > limits.hostFiles)
    return broken(path, fmt::format("is one of more than {}", limits.hostFiles));
  auto text = read(path);
  if (!text || !*text)
    return text.takeError();
  llvm::SmallVector<StringRef, 64> texts;
  splitConfigFile(**text, arena, texts);
  if (Error error = count(path, texts.size()))
    return error;
  std::string folder = support::parentOf(path).str();
  for (StringRef each : texts) {
    bool isFile = each.consume_front("@");
    if (isFile || each.consume_front("--config=")) {
      bool isBeside = isFile || each.contains('/');
      if (Error error = appendConfig(isBeside ? support::joinPath(folder, each) : each.str(), out))
        return error;
      continue;
    }
    llvm::SmallVector<StringRef, 2> parts;
    each.split(parts, "<CFGDIR>");
    out.push_back({StringRef(llvm::join(parts, folder)).copy(arena), Word::Source::ConfigFile});
  }
  return Error::success();
}

Error Expansion::addConfigs(std::vector<Word> &words) {
  std::vector<Word> configured;
  for (size_t i = 0; i != words.size(); ++i) {
    auto [option, value] = words[i].text.split('=');
    if (words[i].text == "--config" && i + 1 != words.size())
      value = words[++i].text;
    if (value.empty())
      continue;
    if (option == "--config") {
      if (Error error = appendConfig(value, configured))
        return error;
    } else if (option.starts_with("--config-")) { // -user-dir, -system-dir
      noteUnread(fmt::format("clang searches for configuration files in '{}'", value),
                 "name the file: --config DIR/FILE");
    }
  }
  words.insert(words.begin(), configured.begin(), configured.end());
  return Error::success();
}

Error Expansion::expandHost(std::vector<Word> &words) {
  auto hasPrefix = [&](StringRef prefix) {
    return llvm::any_of(words, [&](const Word &word) { return word.text.starts_with(prefix); });
  };
  if (hasPrefix("@")) {
    std::vector<Word> out;
    out.reserve(words.size());
    for (const Word &word : words)
      if (Error error = appendHost(word, out))
        return error;
    words = std::move(out);
  }
  return dialect == Dialect::Clang && hasPrefix("--config") ? addConfigs(words) : Error::success();
}

Expected<std::optional<std::vector<Word>>>
Expansion::readOptionsFile(StringRef path, const Word &from, unsigned depth) {
  if (depth >= limits.depth)
    return broken(path, fmt::format("is nested more than {} deep", limits.depth));
  auto text = read(path);
  if (!text)
    return text.takeError();
  if (!*text)
    return std::nullopt;
  llvm::SmallVector<StringRef, 64> texts;
  splitOptionsFile(**text, arena, texts);
  if (Error error = count(path, texts.size()))
    return error;
  return wordsFrom(texts, from);
}

} // namespace cudacc::cli
