// SPDX-License-Identifier: Apache-2.0
#include "driver/process/Others.h"
#include "driver/tables/lookup/Libraries.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::process {

policy::Others othersOf(loader::Tree &tree, const core::BinaryFacts &file,
                        llvm::function_ref<std::optional<std::string>(llvm::StringRef)> pathOf,
                        llvm::function_ref<bool(llvm::StringRef)> passesOver) {
  policy::Others others;
  llvm::StringSet<> seen;
  for (std::vector<std::string> left = file.needed; !left.empty();) {
    std::string name = std::move(left.back());
    left.pop_back();
    if (policy::isSystemLibrary(name) || tables::libraryByFileName(name) ||
        !seen.insert(name).second || (passesOver && passesOver(name)))
      continue;
    std::optional<std::string> path = pathOf(name);
    if (!path) {
      others.isComplete = false;
      continue;
    }
    // What a file that cannot be read exports is unknown, too.
    if (const core::BinaryFacts *facts = tree.open(*path, file.machine).facts)
      llvm::append_range(left, facts->needed);
    others.paths.push_back(std::move(*path));
  }
  return others;
}

} // namespace cudacc::process
