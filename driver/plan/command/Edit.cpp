// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Edit.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::plan {

using core::Word;

/// Arguments of a response file beyond this many bytes are not moved to the command line (execve
/// accepts 2 MiB in total under the usual stack limit).
static constexpr size_t MaxSpread = 64 << 10;

namespace {
/// The words of each argument: one for an ordinary argument, those of the file for a response file.
struct Spread {
  std::vector<std::vector<uint32_t>> ofArg;
  std::vector<uint32_t> prepended, appended;

  explicit Spread(const core::Invocation &call) : ofArg(call.args.size()) {
    for (uint32_t i = 0; i < call.words.size(); ++i) {
      const Word &word = call.words[i];
      if (word.source == Word::Source::Prepend)
        prepended.push_back(i);
      else if (word.source == Word::Source::Append)
        appended.push_back(i);
      else if (word.source != Word::Source::ConfigFile)
        ofArg[word.arg].push_back(i);
    }
  }
};
} // namespace

/// The second argument of `--options-file F`, whose words belong to the first.
static bool belongsToOneBefore(const core::Invocation &call, const Spread &spread, size_t arg) {
  return arg > 0 && spread.ofArg[arg].empty() && !call.args[arg].starts_with("@") &&
         llvm::any_of(spread.ofArg[arg - 1], [&](uint32_t index) {
           return call.words[index].source == Word::Source::ResponseFile;
         });
}

void addRecord(const core::Invocation &call, const std::string &header,
               std::vector<std::string> &words) {
  bool isNvcc = call.dialect == core::Dialect::Nvcc;
  auto addForHost = [&](std::string word) {
    if (isNvcc)
      words.push_back("-Xcompiler");
    words.push_back(std::move(word));
  };
  words.insert(words.end(), {"-include", header});
  if (call.lacksPhonyTargets)
    words.push_back("-MP");
  if (call.hostLacksPhonyTargets)
    addForHost("-MP");
  if (call.namesHeaders)
    addForHost(fmt::format("-fdebug-prefix-map={}=/cuda-cc", llvm::sys::path::parent_path(header)));
}

std::string responseFile(llvm::ArrayRef<std::string> words) {
  std::string text;
  for (const std::string &word : words) {
    for (char c : word) {
      if (llvm::isSpace(c) || c == '"' || c == '\'' || c == '\\')
        text += '\\';
      text += c;
    }
    text += word.empty() ? "\"\"\n" : "\n";
  }
  return text;
}

void apply(const core::Invocation &call, const Edits &edits, core::ArgList &out,
           std::vector<core::PlannedFile> *files) {
  out.reserve(out.size() + edits.prefix.size() + call.args.size() + edits.suffix.size());
  for (const std::string &word : edits.prefix)
    out.add(word);
  auto forEachWord = [&](uint32_t index, llvm::function_ref<void(llvm::StringRef)> take) {
    if (edits.drop.count(index))
      return;
    auto replaced = edits.replace.find(index);
    if (replaced == edits.replace.end())
      return take(call.words[index].text);
    for (const std::string &word : replaced->second)
      take(word);
  };
  auto put = [&](uint32_t index) {
    forEachWord(index, [&](llvm::StringRef word) { out.add(word); });
  };
  auto putFile = [&](llvm::ArrayRef<uint32_t> indices) {
    std::vector<std::string> words;
    size_t size = 0;
    for (uint32_t index : indices)
      forEachWord(index, [&](llvm::StringRef word) {
        words.push_back(word.str());
        size += word.size() + 1;
      });
    if (!files || edits.scratch.empty() || size <= MaxSpread) {
      for (const std::string &word : words)
        out.add(word);
      return;
    }
    std::string path = fmt::format("{}{}.rsp", edits.scratch, files->size());
    out.add("@" + path);
    files->push_back({std::move(path), responseFile(words)});
  };
  if (edits.replace.empty() && edits.drop.empty() && !edits.mergeVariables) {
    for (llvm::StringRef arg : call.args)
      out.addBorrowed(arg);
  } else {
    Spread spread(call);
    if (edits.mergeVariables)
      llvm::for_each(spread.prepended, put);
    bool touched = false;
    for (size_t i = 0; i < call.args.size(); ++i) {
      if (touched && belongsToOneBefore(call, spread, i))
        continue;
      touched = llvm::any_of(spread.ofArg[i], [&](uint32_t index) {
        return edits.drop.count(index) || edits.replace.count(index);
      });
      if (touched)
        putFile(spread.ofArg[i]);
      else
        out.addBorrowed(call.args[i]);
    }
    if (edits.mergeVariables)
      llvm::for_each(spread.appended, put);
  }
  for (const std::string &word : edits.suffix)
    out.add(word);
}

} // namespace cudacc::plan
