// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/check/FileJudge.h"
#include "driver/policy/wheel/Needs.h"
#include <functional>
#include <map>
#include <memory>

namespace cudacc::commands {

/// Every file of a call judged against each of its runtimes.
class JudgedRows {
public:
  /// The runtimes of a file; empty if none is known.
  using RuntimesOf = std::function<llvm::ArrayRef<Runtime>(const Input &input)>;

  /// All must outlive this. \p wantsFixes: try other runtimes, for fixes that name one.
  JudgedRows(pipeline::System &system, const JudgeArguments &arguments,
             const core::Declaration &declaration, const Inputs &inputs,
             llvm::ArrayRef<ReadFile> files, const binary::ReadOptions &options,
             RuntimesOf runtimesOf, bool wantsFixes);

  /// The runtime as it is where the wheel of the unit is installed: with the libraries that the
  /// wheel requires and the runtime leaves open. \p runtime itself if there are none.
  const Runtime &installedWith(const Unit &unit, const Runtime &runtime) const;
  /// One row, with the requirements of the wheel that exclude the runtime, and the least driver.
  core::Judgement judgeOne(const Unit &unit, const Runtime &runtime);
  /// Appends a row per file and runtime to `judgements`, in an order that does not depend on the
  /// threads, and fills the rest. With \p shortened, rows of several files keep only what a matrix
  /// shows.
  void judge(bool shortened);
  /// The unit and the runtime of a row; null for a row that judge() did not add.
  std::pair<const Unit *, const Runtime *> of(size_t row) const;

  FileJudge judging;
  std::vector<Unit> units;
  std::vector<core::Judgement> judgements;
  /// What the files need of CUDA's wheels, collected before rows are shortened. Groups of
  /// alternatives are left out.
  policy::Needs needs;
  /// What was not judged, and why.
  std::vector<core::Finding> skipped;

private:
  pipeline::System &system;
  const JudgeArguments &arguments;
  const Inputs &inputs;
  llvm::ArrayRef<ReadFile> files;
  RuntimesOf runtimesOf;
  /// Index of the first judgement of each unit.
  std::vector<size_t> firsts;
  std::mutex needing;
  /// By wheel and runtime; only where the wheel brings something.
  std::map<std::pair<size_t, const Runtime *>, std::unique_ptr<Runtime>> completed;

  void skip();
  void complete();
  void addNeedsOf(const Unit &unit, const core::Judgement &judgement, bool isFirst);
};

} // namespace cudacc::commands
