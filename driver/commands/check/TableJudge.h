// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/LibraryFloor.h"
#include "driver/pipeline/JudgeFile.h"
#include "driver/pipeline/MountedFiles.h"
#include "driver/policy/advice/LookAround.h"
#include "driver/probe/python/InstalledPackages.h"
#include "driver/process/Installation.h"
#include <map>
#include <mutex>

namespace cudacc::commands {

/// Judges files where they will be installed, beside the wheels of a runtime that tables or a lock
/// file describe. EnvironmentJudge does so for environments, where more is known. Thread-safe.
class TableJudge {
public:
  /// All must outlive this.
  TableJudge(pipeline::System &system, pipeline::TorchTables &torchTables, const Inputs &inputs,
             llvm::ArrayRef<ReadFile> files);

  /// \p facts: those of the file, or read again with more of its device code. \p lookAround: null
  /// if the fixes are not used; then no other runtime is tried for them.
  std::vector<core::Finding> judge(size_t file, const core::BinaryFacts &facts,
                                   const Runtime &runtime, policy::LookAround lookAround);
  /// If the file may go to several places, the first one where it loads decides. std::nullopt for
  /// files that are not loaded (objects, archives) and if the runtime is an
  /// environment. Paths in the result begin with `site-packages/` or are paths on this disk.
  std::optional<core::LoadResult> load(size_t file, const core::Target &target);
  /// The least versions of CUDA's libraries. If the file determines its CUDA major, they are the
  /// same for every runtime.
  std::vector<core::LibraryFloor> floorsOf(size_t file, unsigned major);
  /// The releases of torch that export what the file imports, once it was judged; independent of
  /// the runtime, since what a neighbour defines for one runtime it defines for all.
  const versions::TorchRange &torchOf(size_t file) const { return known[file]->torch; }
  /// The same, judged now if it was not yet. \p beside: whether another library of the process
  /// defines a symbol.
  const versions::TorchRange &torchOf(size_t file, policy::DefinedBeside beside);

private:
  /// What is known of one file for all runtimes.
  struct Known {
    std::once_flag floored, ranged;
    std::vector<core::LibraryFloor> floors;
    unsigned major = 0;
    versions::TorchRange torch;
  };
  /// Files that are installed together: the members of a wheel, or what one argument names.
  /// NVIDIA's wheels are left out: the runtime has its own.
  struct Group {
    process::PackageFiles package;
    /// Index into the inputs, for those that are judged themselves, by path.
    std::map<std::string, size_t, std::less<>> indices;
    bool requiresTorch = false;
    /// The sources of a wheel, for what its code opens.
    std::unique_ptr<pipeline::MountedFiles> sources;
    std::unique_ptr<probe::InstalledPackages> distributions;
  };
  struct Key {
    const core::Target *target;
    size_t group;
    uint16_t machine;
    auto operator<=>(const Key &) const = default;
  };
  class Under;

  pipeline::System &system;
  pipeline::TorchTables &torchTables;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  process::DiskTree disk;
  std::vector<std::unique_ptr<Known>> known;
  /// Those of wheels, then those of arguments.
  std::vector<std::unique_ptr<Group>> groups;
  std::mutex mutex;
  std::map<Key, std::unique_ptr<process::Installation>> installations;
  /// Runtimes that fixes may name, by name, and the findings under them.
  std::map<std::string, std::unique_ptr<Runtime>> others;
  std::map<std::pair<size_t, std::string>, std::vector<core::Finding>> tried;
  /// What a file has that others load, by file and runtime.
  std::map<std::pair<size_t, const Runtime *>, std::vector<core::Finding>> inherited;

  Group &groupOf(size_t file) const { return *groups[inputs.packageOf(inputs.files[file])]; }
  process::Installation &installationOf(size_t file, const core::Target &target);
  probe::InstalledPackages &distributionsOf(size_t file);
  void addNeighbours(const Input &input, const core::BinaryFacts &facts);
  std::optional<size_t> fileAt(size_t file, llvm::StringRef path) const;
  /// See FileCase::isCopy.
  bool isCopy(size_t file) const;
  std::vector<core::Finding> judgeItself(size_t file, const core::BinaryFacts &facts,
                                         const Runtime &runtime,
                                         const std::optional<core::LoadResult> &load,
                                         policy::OtherRuntimes *otherRuntimes,
                                         policy::LookAround lookAround);
  std::vector<core::Finding> inheritedFrom(size_t file, const Runtime &runtime);
  std::vector<core::Finding> judgeUnder(size_t file, const core::Target &target);
  std::optional<core::Finding> opensItself(size_t file, const core::Target &target,
                                           const core::LoadResult &load);
};

} // namespace cudacc::commands
