// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/support/Paths.h"
#include "driver/support/ProgramNames.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using llvm::StringRef;

const UserCompiler UserCompiler::all[2] = {{"cuda-cc-cc", "CUDA_CC_USER_CC", "gcc"},
                                           {"cuda-cc-c++", "CUDA_CC_USER_CXX", "g++"}};

const UserCompiler *UserCompiler::find(StringRef path) {
  StringRef name = support::nameOf(path);
  const UserCompiler *found =
      llvm::find_if(all, [&](const UserCompiler &each) { return each.name == name; });
  return found == std::end(all) ? nullptr : found;
}

/// Joins words that are a path of a program only together.
static void joinPaths(std::vector<std::string> &words, core::Files &files) {
  for (size_t at = 0; at < words.size(); ++at) {
    StringRef word = words[at];
    if (word.starts_with("-") || !word.contains('/') || files.executable(word))
      continue;
    std::string path = words[at];
    for (size_t end = at + 1; end < words.size(); ++end) {
      path += ' ' + words[end];
      if (!files.executable(path))
        continue;
      words[at] = path;
      words.erase(words.begin() + ptrdiff_t(at) + 1, words.begin() + ptrdiff_t(end) + 1);
      break;
    }
  }
}

std::vector<std::string> UserCompiler::words(const core::Environment &environment,
                                             core::Files &files) const {
  StringRef text = environment.getOr(variable).trim();
  std::vector<std::string> words;
  if (text.contains('/') && files.executable(text))
    words = {text.str()};
  else if (auto commands = support::splitShellLine(text); !commands.empty())
    words = std::move(commands.front());
  joinPaths(words, files);
  // A user's compiler that is one of these itself would lead back here.
  if (words.empty() || llvm::any_of(words, [](StringRef word) { return find(word); }))
    words = {usual.str()};
  return words;
}

std::string UserCompiler::compiler(llvm::ArrayRef<std::string> words) const {
  const std::string *found = llvm::find_if(
      words, [](StringRef word) { return !support::isLauncherName(support::nameOf(word)); });
  return found == words.end() ? usual.str() : *found;
}

llvm::SmallVector<StringRef, 64> withUserCompiler(llvm::SmallVector<StringRef, 64> argv,
                                                  const core::Environment &environment,
                                                  core::Files &files,
                                                  std::vector<std::string> &kept) {
  // A build system that uses cuda-cc and a cache as launchers of such a compiler names them before.
  StringRef *word = llvm::find_if(argv, [](StringRef each) {
    StringRef name = support::nameOf(each);
    return UserCompiler::find(name) || !(support::isOurName(name) || support::isLauncherName(name));
  });
  const UserCompiler *meant = word == argv.end() ? nullptr : UserCompiler::find(*word);
  // One that a launcher names by its path is started.
  if (!meant || (word != argv.begin() && word->contains('/')))
    return argv;
  kept = meant->words(environment, files);
  if (word == argv.begin())
    kept.insert(kept.begin(), fmt::format("{}cuda-cc", word->drop_back(meant->name.size())));
  llvm::SmallVector<StringRef, 64> words(argv.begin(), word);
  words.append(kept.begin(), kept.end());
  words.append(std::next(word), argv.end());
  return words;
}

} // namespace cudacc::plan
