// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/config/RuntimeFlags.h"
#include "driver/plan/command/SearchPath.h"

namespace cudacc::commands {

using namespace core;

std::vector<std::string> linkWords(const RuntimeFlags &flags) {
  std::vector<std::string> words, coupled;
  for (const FlaggedLibrary &library : flags.libraries)
    if (!library.path.empty())
      (library.coupled ? coupled : words).push_back(library.path);
  if (coupled.empty())
    return words;
  words.push_back("-Wl,--push-state,--no-as-needed");
  words.insert(words.end(), coupled.begin(), coupled.end());
  words.push_back("-Wl,--pop-state");
  return words;
}

std::vector<std::string> searchPathWords(const Declaration &declaration,
                                         llvm::ArrayRef<std::string> elements) {
  std::vector<std::string> words;
  if (declaration.dtags || !elements.empty())
    words.push_back(plan::dtagsWord(declaration).str());
  if (!elements.empty())
    plan::passToLinker(words, "-rpath", llvm::join(elements, ":"));
  return words;
}

} // namespace cudacc::commands
