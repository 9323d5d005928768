// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/EnvironmentJudge.h"
#include "driver/commands/check/Runtimes.h"
#include "driver/commands/check/TableJudge.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/core/Judgement.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/rules/Alternatives.h"
#include "driver/policy/rules/Judge.h"
#include <atomic>

namespace cudacc::commands {

/// What is judged as one: a file, or a group of alternatives of which a runtime loads one.
struct Unit {
  /// Index into the inputs; for alternatives, that of the first one.
  size_t file = 0;
  std::optional<policy::Alternatives> alternatives;
};

/// Judges files against runtimes. What depends on the file or on the runtime alone is computed
/// once.
class FileJudge {
public:
  /// \p options: those the files were read with. \p wantsFixes: try other runtimes, for fixes that
  /// name one.
  FileJudge(pipeline::System &system, const JudgeArguments &arguments,
            const core::Declaration &declaration, const Inputs &inputs,
            llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options, bool wantsFixes);

  /// Files that were read or failed, in input order; a group of alternatives is one unit.
  std::vector<Unit> units() const;
  core::Judgement judge(const Unit &unit, const Runtime &runtime);
  /// The file of the unit that \p runtime loads; std::nullopt if it loads no alternative.
  std::optional<size_t> fileOf(const Unit &unit, const Runtime &runtime) const;
  /// What the loader does with a file that was read; std::nullopt if that is not simulated.
  std::optional<core::LoadResult> load(size_t file, const Runtime &runtime);
  /// A remark for each declared waiver that has matched no finding so far.
  std::vector<core::Finding> unusedWaivers() const;

private:
  /// What was computed for a file.
  struct Known {
    std::once_flag inflated;
    /// Facts with compressed device code inflated.
    core::BinaryFacts opened;
    bool isOpened = false;
  };

  pipeline::System &system;
  const JudgeArguments &arguments;
  const core::Declaration &declaration;
  /// Whether a finding matched the waiver, by index of the waiver.
  std::vector<std::atomic<bool>> used;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  binary::ReadOptions options;
  bool wantsFixes;
  pipeline::TorchTables torchTables;
  std::vector<std::unique_ptr<Known>> known;
  TableJudge beside;
  EnvironmentJudge environments;
  std::once_flag searched;
  std::vector<core::FoundToolkit> nearby;

  const std::vector<core::FoundToolkit> &toolkitsHere();
  /// The file with its compressed device code inflated; null if it cannot be read.
  const core::BinaryFacts *opened(size_t file);
  /// Adds the findings to \p judgement, with that of `--require-manifest`, after `--only`,
  /// severities and waivers.
  void addFindings(size_t file, std::vector<core::Finding> findings, core::Judgement &judgement);
  bool isLoadedThere(size_t file, const Runtime &runtime) const;
  void judgeFile(size_t file, const Runtime &runtime, core::Judgement &judgement);
  void judgeAlternatives(const policy::Alternatives &group, const Runtime &runtime,
                         core::Judgement &judgement);
  void judgeInEnvironment(size_t file, const Runtime &runtime, core::Judgement &judgement);
  void judgeBesideTables(size_t file, const Runtime &runtime, core::Judgement &judgement);
};

} // namespace cudacc::commands
