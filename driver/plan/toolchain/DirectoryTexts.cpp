// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/DirectoryTexts.h"
#include "driver/support/ShellWord.h"

namespace cudacc::plan {

static constexpr DirectoryText texts[] = {
#include "DirectoryTexts.inc"
};

llvm::ArrayRef<DirectoryText> directoryTexts() { return texts; }

static bool put(std::string &text, llvm::StringRef word, llvm::StringRef value) {
  bool found = false;
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + value.size())) {
    text.replace(at, word.size(), value);
    found = true;
  }
  return found;
}

core::TreeEntry filled(const DirectoryText &text, const core::ToolchainDirectory &directory) {
  core::TreeEntry entry{text.path.str(), text.text.str(), core::TreeEntry::Kind::File};
  auto name = [](llvm::StringRef ours, llvm::StringRef usual) {
    return ours.empty() ? usual : ours;
  };
  auto quoted = [&](llvm::StringRef path) {
    std::string word = support::shellWord(path);
    // Inside quotes, too, csh takes it for a command of its history.
    if (text.path.ends_with(".csh"))
      put(word, "!", "\\!");
    return word;
  };
  // What bin/@CC@ stands for.
  for (auto [word, ours] :
       {std::pair("@CC:sh@", directory.cName()), std::pair("@CXX:sh@", directory.cxxName())}) {
    const std::string *real = directory.compiler(ours);
    put(entry.text, word, quoted(real ? llvm::StringRef(*real) : ours));
  }
  put(entry.text, "@CC@", name(directory.cName(), "gcc"));
  put(entry.text, "@CXX@", name(directory.cxxName(), "g++"));
  entry.namesPlace = put(entry.text, "@DIR:sh@", quoted(directory.path));
  return entry;
}

} // namespace cudacc::plan
