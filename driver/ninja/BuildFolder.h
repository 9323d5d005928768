// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/cache/CommandInputs.h"
#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/ninja/graph/StepGraph.h"
#include "driver/run/Jobs.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::ninja {

/// All that is needed to run a step: `NAME.step`.
struct PlacedStep {
  Step step;
  /// Its place in nvcc's order.
  uint64_t order = 0;
  /// Steps that run at a time.
  unsigned jobs = 1;
  /// Where nvcc was called.
  std::string workingDirectory;
  std::vector<std::pair<std::string, std::string>> variables;
  /// Digest of all variables of the call, for programs that may read any of them.
  std::string allVariables;
  /// Changes with the command and everything else that does not lie in a file.
  std::string key;
  /// That of the record which the step continues, or a new one: then it runs.
  std::string generation;
};
std::string stepText(const PlacedStep &placed);
/// std::nullopt if the text is damaged.
std::optional<PlacedStep> readStep(llvm::StringRef text);

enum class StepEnd {
  Done,
  /// As nvcc's command would have failed.
  Failed,
  /// What nvcc would do is not known: it has to run the call as a whole.
  RunWhole,
};

/// What a step left: `NAME.record` if it is done, else `failed-ORDER`.
struct StepRecord {
  StepEnd end = StepEnd::RunWhole;
  /// Exit status of its command, and what that printed.
  int status = 0;
  std::string out, err;
  /// When its command started, in nanoseconds since the epoch; 0 if it has none.
  int64_t started = 0;
  /// The host compiler failed, and removed an output that was there.
  bool removedOutput = false;
  /// Of PlacedStep.
  std::string key, generation;
  cache::CommandInputs inputs;
  /// Names in the build folder with digests: of the inputs, and of the outputs, whose names another
  /// step may have used meanwhile.
  using Digests = std::vector<std::pair<std::string, std::string>>;
  Digests read, made;
};
std::string recordText(const StepRecord &record);
/// std::nullopt if the text is damaged.
std::optional<StepRecord> readRecord(llvm::StringRef text);

/// The folder in which Ninja builds one output. Besides inputs and outputs of the steps it has
/// build.ninja, what the steps need and left, nvcc's answer, and a file whose time is that of the
/// last call.
class BuildFolder {
public:
  static constexpr llvm::StringLiteral buildFile = "build.ninja", dryrun = "dryrun", used = "used";
  /// The option with which Ninja has this program run the step that the next word names.
  static constexpr llvm::StringLiteral stepOption = "--cudacc-step";

  BuildFolder(core::Files &files, std::string path) : files(files), path(std::move(path)) {}

  const std::string &str() const { return path; }
  std::string at(llvm::StringRef name) const;
  std::optional<std::string> read(llvm::StringRef name) const;
  llvm::Error write(llvm::StringRef name, llvm::StringRef content) const;

  /// What \p step left when it was last done.
  std::optional<StepRecord> record(const Step &step) const;
  /// What it left in this build.
  std::optional<StepRecord> left(const PlacedStep &placed) const;
  llvm::Error keep(const PlacedStep &placed, const StepRecord &record) const;
  /// From here on the outputs of \p step are those of no record.
  void forget(const Step &step) const;
  /// A step before the one at \p order failed, so nvcc would not have come to that.
  bool hasFailedBefore(uint64_t order) const;
  /// Forgets the failures of earlier builds.
  llvm::Error forgetFailures() const;

  /// Where `jobs` calls at a time find their places.
  run::JobRules rules(const core::Environment &environment, unsigned jobs) const;

private:
  core::Files &files;
  std::string path;
};

} // namespace cudacc::ninja
