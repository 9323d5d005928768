// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Owner.h"
#include "driver/probe/python/Record.h"
#include "driver/support/Paths.h"
#include "driver/versions/Requirement.h"

namespace cudacc::probe {

using namespace support;
using core::FileStatus;

/// RECORD of torch has 1.5 MB.
static constexpr uint64_t largestOwnerRecord = 16 << 20;

std::pair<std::string, std::string> ownerOf(llvm::ArrayRef<std::string> sitePackages,
                                            llvm::StringRef path, core::Files &files) {
  for (const std::string &site : sitePackages) {
    llvm::StringRef below = pathBelow(path, site);
    if (below.empty())
      continue;
    for (const std::string &entry : files.list(site)) {
      llvm::StringRef name = entry;
      if (!name.consume_back(".dist-info"))
        continue;
      auto record = llvm::expectedToOptional(
          files.read(joinPath(site, entry + "/RECORD"), largestOwnerRecord));
      if (!record)
        continue;
      auto [dist, version] = name.rsplit('-');
      if (recordHas(*record, below))
        return {versions::Requirement::normalise(dist), version.str()};
    }
  }
  return {};
}

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
