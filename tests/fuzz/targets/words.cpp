// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/Quoting.h"
#include "driver/ninja/graph/Dryrun.h"
#include "driver/probe/toolkit/NvccScript.h"
#include "driver/support/ShellWord.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// Each rule by which a tool splits a text into words.
static void run(llvm::StringRef text) {
  llvm::BumpPtrAllocator arena;
  for (auto *split : {cli::splitGccFile, cli::splitClangFile, cli::splitConfigFile,
                      cli::splitOptionsFile, cli::splitList, cli::splitForwarded}) {
    llvm::SmallVector<llvm::StringRef> words;
    split(text, arena, words);
    size_t size = 0;
    for (llvm::StringRef word : words)
      size += word.size();
    // clang's files may be in UTF-16.
    fuzz::expect(size <= 2 * text.size());
  }
  llvm::SmallVector<llvm::StringRef> words;
  cli::splitVariable(text, words);
  for (llvm::StringRef word : words)
    fuzz::expect(!word.empty() && word.find_first_of(" \t") >= word.find('"'));
  probe::nvccCalledBy(text);
  auto split = ninja::splitCommand(text, {{"A", "b c"}});
  for (const ninja::CommandWord &word : split.value_or(std::vector<ninja::CommandWord>()))
    fuzz::expect(word.begin < word.end && word.end <= text.size());
  auto again = ninja::splitCommand(support::shellWord(text), {});
  fuzz::expect(again && again->size() == 1 && again->front().isKnown &&
               again->front().value == text);
}

static const fuzz::Target target("words", run);
