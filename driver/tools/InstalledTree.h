#pragma once

#include "driver/core/Target.h"
#include "driver/tools/Tree.h"
#include <map>
#include <mutex>

namespace cudacc::tools {

/// A runtime that is a place on this disk. For several threads at once.
class InstalledTree {
public:
  /// \p target has site-packages and outlives this.
  InstalledTree(Disk &disk, const core::Target &target) : disk(disk), target(target) {}

  /// Where a wheel of the judged project is installed to.
  llvm::StringRef site() const { return target.sitePackages.front(); }
  /// A path in one of its folders.
  bool has(llvm::StringRef path) const;
  const core::TargetLibrary *find(llvm::StringRef soname) const { return target.find(soname); }
  loader::Candidate open(llvm::StringRef path, uint16_t machine) const;
  /// What the linker cache has; the driver's libraries are on every machine that runs CUDA, though
  /// perhaps not on this one.
  std::optional<std::string> cached(llvm::StringRef name, uint16_t machine) const;
  /// The process in which torch was imported; without torch, an empty one.
  const loader::Situation &withTorch(uint16_t machine);

private:
  Disk &disk;
  const core::Target &target;
  std::mutex mutex;
  /// By machine: a process is of one.
  std::map<uint16_t, loader::Situation> torch;

  loader::Situation importTorch(uint16_t machine) const;
};

} // namespace cudacc::tools
