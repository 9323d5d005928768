// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Owner.h"
#include "driver/support/Paths.h"

namespace cudacc::probe {

using namespace support;
using core::FileStatus;

std::vector<std::string> besides(llvm::StringRef folder, llvm::StringRef name, core::Files &files) {
  std::vector<std::string> found;
  llvm::StringRef parent = parentOf(folder);
  for (const std::string &entry : files.list(parent)) {
    std::string path = joinPath(joinPath(parent, entry), name);
    if (llvm::StringRef(entry).ends_with(".libs") && entry != nameOf(folder) &&
        files.stat(path).kind == FileStatus::Kind::Regular)
      found.push_back(std::move(path));
  }
  return found;
}

} // namespace cudacc::probe
