// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Expansion.h"
#include "driver/cli/Quoting.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace cudacc::cli {

static Error broken(StringRef path, const llvm::Twine &why) {
  return makeError(Code::BrokenResponseFile, fmt::format("response file '{}' {}", path, why));
}

Expected<std::optional<StringRef>> Expansion::read(StringRef path) {
  FileStatus status = files.stat(path);
  if (path == "/dev/null")
    return StringRef();
  if (status.kind == FileStatus::Kind::Other && unread.empty())
    unread = path.str();
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

Error Expansion::expandHost(std::vector<Word> &words) {
  if (llvm::none_of(words, [](const Word &word) { return word.text.starts_with("@"); }))
    return Error::success();
  std::vector<Word> out;
  out.reserve(words.size());
  for (const Word &word : words)
    if (Error error = appendHost(word, out))
      return error;
  words = std::move(out);
  return Error::success();
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
