// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/support/Paths.h"
#include "driver/support/ProgramNames.h"
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

llvm::SmallVector<StringRef, 4> UserCompiler::words(const core::Environment &environment) const {
  llvm::SmallVector<StringRef, 4> words;
  environment.getOr(variable).split(words, ' ', -1, /*KeepEmpty=*/false);
  // A user's compiler that is one of these itself would lead back here.
  if (words.empty() || llvm::any_of(words, [](StringRef word) { return find(word); }))
    words.assign({usual});
  return words;
}

StringRef UserCompiler::compiler(const core::Environment &environment) const {
  llvm::SmallVector<StringRef, 4> words = this->words(environment);
  const StringRef *found = llvm::find_if(
      words, [](StringRef word) { return !support::isLauncherName(support::nameOf(word)); });
  return found == words.end() ? StringRef(usual) : *found;
}

llvm::SmallVector<StringRef, 64> withUserCompiler(llvm::ArrayRef<StringRef> argv,
                                                  const core::Environment &environment,
                                                  std::string &program) {
  const UserCompiler *meant = argv.empty() ? nullptr : UserCompiler::find(argv.front());
  if (!meant)
    return {argv.begin(), argv.end()};
  StringRef folder = argv.front().drop_back(meant->name.size());
  program = fmt::format("{}cuda-cc", folder);
  llvm::SmallVector<StringRef, 64> words = {program};
  llvm::append_range(words, meant->words(environment));
  llvm::append_range(words, argv.drop_front());
  return words;
}

} // namespace cudacc::plan
