// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Scanner.h"
#include "driver/cli/Quoting.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::StringRef;

namespace cudacc::cli {

static bool isOption(StringRef word) { return word.size() > 1 && word[0] == '-'; }

static TableKind tableOf(Dialect dialect) {
  switch (dialect) {
  case Dialect::Nvcc:
    return TableKind::Nvcc;
  case Dialect::Gcc:
    return TableKind::Gcc;
  case Dialect::Clang:
    return TableKind::Clang;
  }
  return TableKind::Gcc;
}

Scanner::Scanner(Invocation &call, Files &files)
    : call(call), files(files), table(cli::table(tableOf(call.dialect))),
      host{cli::table(TableKind::Gcc)}, linker{cli::table(TableKind::Linker)},
      nestedFiles(Dialect::Gcc, files, *call.arena) {}

uint32_t Scanner::addWord(const Word &word) {
  if (!inPlace)
    call.words.push_back(word);
  return wordCount++;
}

void Scanner::addLibrary(StringRef name, uint32_t word, bool shared) {
  // A word of a configuration file stays there.
  shared |= word < call.words.size() && call.words[word].source == Word::Source::ConfigFile;
  call.linkInputs.push_back({LinkInput::Kind::Library, name, word, shared});
}

void Scanner::addFile(StringRef file, uint32_t word) {
  // nvcc applies the last -x to all inputs, so finish() classifies them.
  if (call.dialect == Dialect::Nvcc || !takeSource(file))
    call.linkInputs.push_back({LinkInput::Kind::File, file, word, false});
}

Error Scanner::scan(std::vector<Word> line, Expansion &expansion) {
  if (Error error = scanLine(std::move(line), expansion))
    return error;
  call.unread = expansion.unreadWords() ? expansion.unreadWords() : nestedFiles.unreadWords();
  return nestedProblem ? makeError(std::move(*nestedProblem)) : Error::success();
}

Error Scanner::scanLine(std::vector<Word> line, Expansion &expansion) {
  inPlace = true;
  // Most words of long lines are inputs or -I; counting is cheaper than reallocating.
  size_t inputs = 0, includes = 0;
  for (const Word &word : line) {
    StringRef text = word.text;
    if (!isOption(text))
      ++inputs;
    else if (text[1] == 'I')
      ++includes;
    else if (text[1] == 'o' || text[1] == '-')
      inPlace &= !text.starts_with("-optf") && !text.starts_with("--options-file");
  }
  if (!inPlace)
    return scanWords(line, expansion, 0);
  call.words = std::move(line);
  call.linkInputs.reserve(inputs);
  call.includes.reserve(includes);
  return scanWords(call.words, expansion, 0);
}

Error Scanner::scanWords(llvm::ArrayRef<Word> words, Expansion &expansion, unsigned depth) {
  for (size_t at = 0; at < words.size(); ++at) {
    StringRef text = words[at].text;
    if (onlyInputs || !isOption(text)) {
      addFile(text, addWord(words[at]));
      continue;
    }
    // Most words of long command lines are definitions (-DX), which do not matter to cuda-cc.
    if (text[1] == 'D' && text.size() > 2) {
      addWord(words[at]);
      continue;
    }
    Match found = match(table, text);
    if (!found.row) {
      uint32_t word = addWord(words[at]);
      if (call.dialect == Dialect::Nvcc)
        takeForwarded(text, word);
      continue;
    }
    if (found.row->action == Action::MayLackValue &&
        (at + 1 == words.size() || isOption(words[at + 1].text)))
      found.separate = 0;
    size_t count = 1 + std::min<size_t>(found.separate, words.size() - at - 1);
    bool dangling = count != 1 + found.separate;
    StringRef value = found.separate && !dangling ? words[at + 1].text : found.joined;
    if (found.row->action == Action::OptionsFile && !dangling) {
      if (Error error = openOptionsFiles(value, words.slice(at, count), expansion, depth))
        return error;
      at += count - 1;
      continue;
    }
    uint32_t first = addWord(words[at]);
    for (const Word &more : words.slice(at + 1, count - 1))
      addWord(more);
    call.danglingOption |= dangling;
    if (!dangling)
      takeOption(found, value, first + uint32_t(count - 1));
    if (found.row->action == Action::Ccbin && !dangling)
      for (uint32_t i = first; i != wordCount; ++i)
        call.ccbinWords.push_back(i);
    at += count - 1;
  }
  return Error::success();
}

/// nvcc parses each file as a separate line, in its place on the command line. A file that cannot
/// be read stays on the line, so that nvcc reports the error.
Error Scanner::openOptionsFiles(StringRef list, llvm::ArrayRef<Word> spelled, Expansion &expansion,
                                unsigned depth) {
  llvm::SmallVector<StringRef, 4> paths;
  splitList(list, *call.arena, paths);
  std::vector<std::vector<Word>> contents;
  for (StringRef path : paths) {
    auto content = expansion.readOptionsFile(path, spelled[0], depth);
    if (!content)
      return content.takeError();
    if (!*content) {
      for (const Word &word : spelled)
        addWord(word);
      return Error::success();
    }
    contents.push_back(std::move(**content));
  }
  for (const std::vector<Word> &content : contents)
    if (Error error = scanWords(content, expansion, depth + 1))
      return error;
  return Error::success();
}

void Scanner::takeOption(const Match &found, StringRef value, uint32_t word) {
  if (call.dialect == Dialect::Nvcc)
    takeNvcc(found.row->action, value, word);
  else
    takeHost(found.row->action, value, word);
}

/// Handles nvcc's own options. List options hold several values in one word.
void Scanner::takeNvcc(Action action, StringRef value, uint32_t word) {
  llvm::SmallVector<StringRef, 8> values;
  switch (action) {
  case Action::Angle:
  case Action::System:
  case Action::LibraryDir:
  case Action::Library:
    splitList(value, *call.arena, values);
    for (StringRef item : values)
      takeShared(action, item.trim('"'), word, values.size() > 1);
    return;
  case Action::HostWords:
  case Action::LinkerWord:
    splitForwarded(value, *call.arena, values);
    for (StringRef item : values)
      takeNested(action == Action::HostWords ? host : linker, item, word);
    return;
  case Action::Ccbin:
    call.ccbin = value;
    return;
  case Action::Cudart:
    call.cudart = value;
    return;
  default:
    takeHost(action, value, word);
  }
}

/// Handles options of a host compiler, and those of nvcc with the same meaning.
void Scanner::takeHost(Action action, StringRef value, uint32_t word) {
  switch (action) {
  case Action::Output:
    call.output = value;
    return;
  case Action::Language:
    language = value;
    return;
  case Action::Verbose:
    call.verbose = true;
    return;
  case Action::CudaPath:
    call.cudaPath = value;
    return;
  case Action::RestAreInputs:
    onlyInputs = true;
    return;
  default:
    takeShared(action, value, word, false);
  }
}

/// Handles options with the same meaning on the command line and inside -Xcompiler. \p partOfWord:
/// the word holds more than this option.
void Scanner::takeShared(Action action, StringRef value, uint32_t word, bool partOfWord) {
  llvm::SmallVector<StringRef, 8> values;
  switch (action) {
  case Action::Angle:
    call.includes.push_back({value, IncludeDir::Kind::Angle});
    return;
  case Action::Quote:
    call.includes.push_back({value, IncludeDir::Kind::Quote});
    return;
  case Action::System:
    call.includes.push_back({value, IncludeDir::Kind::System});
    return;
  case Action::After:
    call.includes.push_back({value, IncludeDir::Kind::After});
    return;
  case Action::LibraryDir:
    call.libraryDirs.push_back(value);
    return;
  case Action::Library:
    return addLibrary(value, word, partOfWord);
  case Action::LinkerList:
    value.split(values, ',');
    for (StringRef item : values)
      takeNested(linker, item, word);
    return;
  case Action::LinkerWord:
    return takeNested(linker, value, word);
  case Action::RpathDir:
    return takeRpath(value);
  case Action::UseLinker:
    call.linkerName = value.str();
    return;
  case Action::LinkerScript:
    call.linkerScripts.push_back(value);
    return;
  default:
    see(action);
  }
}

/// Handles a word that nvcc does not know. With -forward-unknown-to-host-compiler nvcc passes it to
/// the host compiler alone, so it never takes the next word as a value (nvcc 13.0.88).
void Scanner::takeForwarded(StringRef option, uint32_t word) {
  call.needsForwarding |= option.starts_with("-Wl,");
  call.dryRun |= option == "-###";
  Match found = match(host.table, option);
  if (found.row && !found.separate)
    takeStreamValue(host, found.row->action, found.joined, word);
}

void Scanner::takeStream(Stream &stream, StringRef text, uint32_t word) {
  if (stream.values) {
    --stream.values;
    return takeStreamValue(stream, stream.pending->action, text, word);
  }
  if (!isOption(text)) {
    if (&stream == &linker && !text.empty())
      call.linkInputs.push_back({LinkInput::Kind::File, text, word, true});
    return;
  }
  Match found = match(stream.table, text);
  if (!found.row)
    return;
  stream.pending = found.row;
  stream.values = found.separate;
  if (!found.separate)
    takeStreamValue(stream, found.row->action, found.joined, word);
}

/// ld and gcc read response files before they look at any option.
void Scanner::takeNested(Stream &stream, StringRef text, uint32_t word) {
  if (!text.starts_with("@"))
    return takeStream(stream, text, word);
  std::vector<Word> words = {{text}};
  Error error = nestedFiles.expandHost(words);
  takeWords(stream, words, std::move(error), word);
}

void Scanner::takeWords(Stream &stream, llvm::ArrayRef<Word> words, Error error, uint32_t word) {
  if (error)
    nestedProblem = toFinding(std::move(error));
  for (const Word &each : words)
    takeStream(stream, each.text, word);
}

void Scanner::takeConfig(StringRef path, uint32_t word) {
  std::vector<Word> words;
  Error error = nestedFiles.appendConfig(path, words);
  takeWords(host, words, std::move(error), word);
}

void Scanner::takeStreamValue(Stream &stream, Action action, StringRef value, uint32_t word) {
  bool toLinker = &stream == &linker;
  switch (action) {
  case Action::Probe:
    nestedProbe = true;
    return;
  case Action::BuildId:
    call.givesBuildId = true;
    return;
  case Action::Output:
    if (toLinker)
      call.output = value;
    return;
  case Action::Library:
    return addLibrary(value, word, true);
  case Action::ConfigFile:
    return takeConfig(value, word);
  case Action::Relocatable:
  case Action::Shared:
    if (toLinker || action == Action::Shared)
      see(action);
    return;
  case Action::Depfile:
    hostDepfile = true;
    return;
  case Action::PhonyTargets:
    hostPhonyTargets = true;
    return;
  // nvcc itself determines the phases and the language.
  case Action::Language:
  case Action::Preprocess:
  case Action::NoObject:
  case Action::Compile:
  case Action::DryRun:
  case Action::Verbose:
    return;
  default:
    takeShared(action, value, word, true);
  }
}

void Scanner::takeRpath(StringRef value) {
  llvm::SmallVector<StringRef, 8> elements;
  value.split(elements, ':');
  for (StringRef element : elements)
    call.rpaths.push_back(element.str());
}

} // namespace cudacc::cli
