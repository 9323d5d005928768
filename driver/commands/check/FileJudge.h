// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/EnvironmentJudge.h"
#include "driver/commands/check/PackageLoader.h"
#include "driver/commands/check/Runtimes.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/Judgement.h"
#include "driver/pipeline/Installed.h"
#include "driver/pipeline/LoadHere.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/rules/Alternatives.h"
#include "driver/policy/rules/Judge.h"
#include <atomic>

namespace cudacc::commands {

/// What is judged as one: a file, or the alternatives of which a runtime takes one.
struct Unit {
  /// Index into the inputs; of alternatives the first.
  size_t file = 0;
  std::optional<policy::Alternatives> alternatives;
};

/// Holds files against runtimes. What follows from a file alone, or from a runtime alone, is worked
/// out once.
class FileJudge {
public:
  /// \p options are those the files were read with.
  /// \p wantsFixes: other runtimes are tried for fixes that name one.
  FileJudge(pipeline::System &system, const Arguments &arguments,
            const core::Declaration &declaration, const Inputs &inputs,
            llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options, bool wantsFixes);

  /// Files that were read or failed, alternatives as one, in the order of the inputs.
  std::vector<Unit> units() const;
  /// For the thread of that number, of `threadsFor` as many as there are units.
  core::Judgement judge(const Unit &unit, const Runtime &runtime, unsigned thread);
  /// The file that the unit is on the runtime; nothing: none of its alternatives is.
  std::optional<size_t> fileOf(const Unit &unit, const Runtime &runtime) const;
  /// What the loader does with a file that was read.
  std::optional<core::LoadResult> load(size_t file, const Runtime &runtime);
  /// Declared waivers that no finding so far was about.
  std::vector<core::Finding> unusedWaivers() const;

private:
  /// What was worked out about a file.
  struct Known {
    std::once_flag floors, inflated, ranged;
    versions::TorchRange torch;
    std::vector<core::LibraryFloor> rows;
    unsigned major = 0;
    /// With compressed device code opened.
    core::BinaryFacts opened;
    bool isOpened = false;
  };

  pipeline::System &system;
  const Arguments &arguments;
  const core::Declaration &declaration;
  /// By the index of the waiver.
  std::vector<std::atomic<bool>> used;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  binary::ReadOptions options;
  bool wantsFixes;
  pipeline::TorchTables torchTables;
  pipeline::Disk disk;
  /// Not for several threads: one each.
  std::vector<std::unique_ptr<pipeline::Installed>> installed;
  std::vector<std::unique_ptr<Known>> known;
  PackageLoader loading;
  pipeline::LoadHere loadHere;
  EnvironmentJudge environments;
  std::mutex dependenciesMutex;
  /// What judgeAsDependency said.
  std::map<std::pair<size_t, const Runtime *>, std::vector<core::Finding>> dependencies;
  std::mutex triedMutex;
  /// Runtimes that fixes may name, and what judgeUnder said of a file under them.
  std::map<std::string, std::unique_ptr<Runtime>> others;
  std::map<std::pair<size_t, std::string>, std::vector<core::Finding>> tried;
  std::once_flag searched;
  std::vector<core::FoundToolkit> nearby;

  const std::vector<core::FoundToolkit> &toolkitsHere();
  std::vector<core::LibraryFloor> floorsOf(size_t file, unsigned major);
  std::optional<std::string> pathIn(const std::optional<core::LoadResult> &load, size_t file,
                                    llvm::StringRef name) const;
  const versions::TorchRange &torchOf(size_t file, policy::DefinedBeside beside);
  /// Null: it could not be read so.
  const core::BinaryFacts *opened(size_t file);
  /// Applies `--only` and what is declared, and adds the findings to \p judgement.
  void addFindings(size_t file, std::vector<core::Finding> findings, core::Judgement &judgement);
  bool isLoadedThere(size_t file, const Runtime &runtime) const;
  /// Of a file whose dependencies are those of a modelled site-packages.
  std::vector<core::Finding> judgeDependencies(size_t file, const Runtime &runtime, unsigned thread,
                                               const core::LoadResult &load);
  std::vector<core::Finding> judgeAsDependency(size_t file, const Runtime &runtime,
                                               unsigned thread);
  void judgeInEnvironment(size_t file, const Runtime &runtime, core::Judgement &judgement);
  std::vector<core::Finding> judgeByTables(size_t file, const Runtime &runtime, unsigned thread,
                                           bool isTrial);
  std::vector<core::Finding> judgeAlone(size_t file, const Runtime &runtime, unsigned thread,
                                        bool isTrial, const std::optional<core::LoadResult> &load);
  bool isOfRuntime(size_t file, const std::optional<core::LoadResult> &load,
                   llvm::StringRef name) const;
  /// The same under another runtime by tables.
  std::vector<core::Finding> judgeUnder(size_t file, const core::Target &target, unsigned thread);
  void judgeFile(size_t file, const Runtime &runtime, unsigned thread, core::Judgement &judgement);
};

} // namespace cudacc::commands
