// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Definitions.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/tables/lookup/Libraries.h"
#include <set>

namespace cudacc::pipeline {

using versions::Exported;

void Definitions::read() {
  isRead = true;
  std::set<std::string> seen;
  for (std::vector<std::string> left = facts.needed; !left.empty();) {
    std::string name = std::move(left.back());
    left.pop_back();
    if (policy::isSystemLibrary(name) || tables::libraryByFileName(name) ||
        !seen.insert(name).second || (passesOver && passesOver(name)))
      continue;
    std::optional<std::string> path = pathOf(name);
    if (!path) {
      isComplete = false;
      continue;
    }
    core::TargetLibrary &library = libraries.emplace_back();
    library.soname = std::move(name);
    library.path = std::move(*path);
    // If the file cannot be read, a look-up in it later answers Unknown too.
    probe::LibraryNames names = libraryNames(files, library.path);
    left.insert(left.end(), names.needed.begin(), names.needed.end());
  }
}

Exported Definitions::operator()(llvm::StringRef symbol) {
  if (!isRead)
    read();
  Exported answer = isComplete ? Exported::No : Exported::Unknown;
  for (const core::TargetLibrary &library : libraries) {
    Exported here = exports(library, symbol, "");
    if (here == Exported::Yes)
      return here;
    if (here == Exported::Unknown)
      answer = here;
  }
  return answer;
}

} // namespace cudacc::pipeline
