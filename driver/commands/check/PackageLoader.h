// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/LoadResult.h"
#include "driver/core/Target.h"
#include "driver/loader/simulate/WheelTree.h"
#include "driver/pipeline/MountedFiles.h"
#include "driver/pipeline/Tree.h"
#include "driver/probe/python/InstalledPackages.h"
#include <map>
#include <mutex>

namespace cudacc::commands {

/// Files that are installed together: the members of a wheel, or what one argument names.
struct Package {
  /// By path relative to site-packages. NVIDIA's wheels are left out: the runtime has its own.
  std::map<std::string, const core::BinaryFacts *, std::less<>> files;
  /// Index into the inputs, for those that are judged themselves.
  std::map<std::string, size_t, std::less<>> indices;
};

/// Simulates loading the files of `check` from where they will be installed, beside the wheels of a
/// runtime that the tables or a lock file describe. EnvironmentJudge does so for environments,
/// where more is known. Thread-safe.
class PackageLoader {
public:
  PackageLoader(pipeline::System &system, pipeline::Disk &disk, const Inputs &inputs,
                llvm::ArrayRef<ReadFile> files);

  /// If the file may go to several places, the first one where it loads decides. std::nullopt for
  /// files that are not loaded (objects, archives, scripts of a wheel) and if the runtime is an
  /// environment. Paths in the result begin with `site-packages/` or are paths on this disk.
  std::optional<core::LoadResult> load(size_t file, const core::Target &target);

  /// A finding if \p load fails to find a library that the package of \p file opens itself, or may
  /// open.
  std::optional<core::Finding> opensItself(size_t file, const core::Target &target,
                                           const core::LoadResult &load);

  /// Input at such a path; std::nullopt if it is not a file of the package of \p file.
  std::optional<size_t> fileAt(size_t file, llvm::StringRef path) const;
  /// Path, as in such results, of a file called \p name in the package of \p file. A load that
  /// waits for a framework ends before it reaches all of them.
  std::optional<std::string> placeOf(size_t file, llvm::StringRef name) const;
  /// The disk with the files of the package of \p file at the paths of such results.
  core::Files &filesOf(size_t file);

private:
  pipeline::System &system;
  pipeline::Disk &disk;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  /// Those of wheels, then those of arguments.
  std::vector<Package> packages;
  std::mutex mutex;
  /// By package.
  std::map<size_t, std::unique_ptr<pipeline::MountedFiles>> mounted;
  struct Key {
    const core::Target *target;
    size_t package;
    uint16_t machine;
    auto operator<=>(const Key &) const = default;
  };
  std::map<Key, std::unique_ptr<loader::WheelTree>> trees;

  /// By wheel, for the wheels whose preloading was examined.
  std::map<size_t, std::unique_ptr<probe::InstalledPackages>> distributions;

  pipeline::MountedFiles &mountedFor(size_t package);
  probe::InstalledPackages &distributionsOf(size_t wheel);
  void addNeighbours(const Input &input, const core::BinaryFacts &facts);
  const loader::WheelTree &treeOf(const core::Target &target, size_t package, uint16_t machine);
  core::LoadResult loadFromWheels(const Input &input, const core::BinaryFacts &facts,
                                  const core::Target &target);
};

} // namespace cudacc::commands
