// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/matrix/RunMatrix.h"
#include "driver/core/Judgement.h"
#include "driver/report/text/Layout.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace cudacc::commands {

/// What came of one build.
struct MatrixBuilt {
  enum class State { NotMade, Built, Failed };
  /// NotMade: it was not to be made.
  State state = State::NotMade;
  std::string name;
  /// Of its artefacts, a row per file and runtime; paths begin with the name of the build.
  std::vector<core::Judgement> judgements;
  /// Why it failed, or was not judged.
  std::optional<core::Finding> problem;
  /// Tests that failed, by index of the runtime.
  std::map<unsigned, core::Finding> failedTests;
};

/// What came of a matrix.
struct MatrixResult {
  const FoundMatrix *found = nullptr;
  /// One per build of the plan.
  std::vector<MatrixBuilt> builds;
  /// Runtimes that were to be served, ascending: all, or those of the chosen builds.
  std::vector<unsigned> runtimes;

  /// Verdict of a build on a runtime: the worst of its files and its test. std::nullopt if there is
  /// none, and \p decisive is then what hindered it, or null.
  std::optional<core::Outcome> outcome(unsigned build, unsigned runtime,
                                       const core::Finding **decisive = nullptr) const;
  /// A runtime is accepted if, for each Python, one build is and no test failed there; otherwise it
  /// is rejected, or unknown if there is a build of which it is not known.
  core::Outcome outcome(unsigned runtime) const;
  /// The worst of all runtimes; not better than unknown if a build failed.
  core::Outcome outcome() const;
  /// All that went wrong besides verdicts on files: builds, tests, runtimes without a toolkit.
  std::vector<core::Finding> problems() const;
  std::vector<core::Judgement> judgements() const;
};

/// Reads what the cells left.
MatrixResult readMatrix(pipeline::System &system, const FoundMatrix &found,
                        llvm::ArrayRef<unsigned> chosen);

/// The judgements in a document of `check`. std::nullopt if it is none.
std::optional<std::vector<core::Judgement>> readJudgements(llvm::StringRef json);

/// What keeps toolkits from serving a runtime, as a finding.
core::Finding unservedFinding(const FoundMatrix &found, const plan::UnservedRuntime &unserved);

/// Texts of the plan and of the result.
std::string matrixPlanText(const FoundMatrix &found, report::Style style = {});
std::string matrixText(const MatrixResult &result, report::Style style = {});
/// The page of `--report`, with a table of runtimes against builds. Errors: it cannot be written.
llvm::Error writeMatrixPage(pipeline::System &system, const std::string &path,
                            const MatrixResult &result);
/// docs/schema/matrix.json. \p isRun: with what came of it.
llvm::json::Value matrixJson(const MatrixResult &result, bool isRun);

} // namespace cudacc::commands
