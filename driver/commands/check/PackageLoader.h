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

/// What goes into one installation: the members of a wheel, or what one argument names.
struct Package {
  /// By place relative to site-packages. NVIDIA's wheels are left out: the runtime has its own.
  std::map<std::string, const core::BinaryFacts *, std::less<>> files;
  /// Index of those that are judged themselves.
  std::map<std::string, size_t, std::less<>> indices;
};

/// What the loader would do with the files of `check` where they will lie beside the wheels of a
/// runtime that the tables or a lock describe; in an environment EnvironmentJudge knows more. For
/// several threads at once.
class PackageLoader {
public:
  PackageLoader(pipeline::System &system, pipeline::Disk &disk, const Inputs &inputs,
                llvm::ArrayRef<ReadFile> files);

  /// Of several places the first at which all is well counts. Nothing for what is not loaded
  /// (objects, archives, scripts of a wheel), and where the runtime is an environment. Paths in the
  /// result begin with `site-packages/` or are those of this disk.
  std::optional<core::LoadResult> load(size_t file, const core::Target &target);

  /// The package of \p file, which \p load ends for want of a library, opens that by itself, or
  /// may.
  std::optional<core::Finding> opensItself(size_t file, const core::Target &target,
                                           const core::LoadResult &load);

  /// What lies at a path of such a result, of the package of \p file; nothing: no file of it.
  std::optional<size_t> fileAt(size_t file, llvm::StringRef path) const;
  /// The place of a file of that name in the package of \p file, as such results have it: a load
  /// that waits for a framework ends before it comes to all of them.
  std::optional<std::string> placeOf(size_t file, llvm::StringRef name) const;
  /// The disk, with the files of the package of \p file at the paths of such a result.
  core::Files &filesOf(size_t file);

private:
  pipeline::System &system;
  pipeline::Disk &disk;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  /// Of wheels, then of arguments.
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

  /// By wheel, where what packages open was asked.
  std::map<size_t, std::unique_ptr<probe::InstalledPackages>> distributions;

  pipeline::MountedFiles &mountedFor(size_t package);
  probe::InstalledPackages &distributionsOf(size_t wheel);
  void addNeighbours(const Input &input, const core::BinaryFacts &facts);
  const loader::WheelTree &treeOf(const core::Target &target, size_t package, uint16_t machine);
  core::LoadResult loadFromWheels(const Input &input, const core::BinaryFacts &facts,
                                  const core::Target &target);
};

} // namespace cudacc::commands
