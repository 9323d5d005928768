// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Toolkit.h"
#include "driver/plan/ninja/StepGraph.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::pipeline {

/// Names of files in the folder in which Ninja builds one output (backend = "ninja"). Each step has
/// `NAME.step`, and, once it ran, `NAME.sources`, `NAME.out` and `NAME.err`.
struct BuildFolder {
  static constexpr llvm::StringLiteral dryrun = "dryrun", state = "state", ran = "ran",
                                       ownPlace = "own-place", failed = "failed-";
  /// Empty; its time is that of the last call.
  static constexpr llvm::StringLiteral used = "used";
  /// Private variable with which a step finds the places among which it takes one: `COUNT:FOLDER`.
  static constexpr llvm::StringLiteral placesVariable = "CUDA_CC_STEP_PLACES";
  /// The option that makes cuda-cc run the step of the next word, in the working directory.
  static constexpr llvm::StringLiteral stepOption = "--cudacc-step";
};

/// The whole of a file; std::nullopt if it cannot be read.
std::optional<std::string> contentOf(core::Files &files, llvm::StringRef path);
/// Writes \p path unless it has that content, so that its time stays. False if that fails.
bool writeChanged(core::Files &files, llvm::StringRef path, llvm::StringRef content, unsigned mode);

/// What `NAME.step` says: everything that is needed to run a step.
struct PlacedStep {
  plan::Step step;
  /// Its place in nvcc's order.
  uint64_t order = 0;
  /// Where nvcc was called.
  std::string workingDirectory;
  std::vector<std::pair<std::string, std::string>> variables;
  std::string generation;
};
std::string stepText(const PlacedStep &placed);
/// std::nullopt if the text is damaged.
std::optional<PlacedStep> readStep(llvm::StringRef text);

/// What a step read outside of its folder when it ran.
struct StepSources {
  /// Generation of the run.
  std::string generation;
  std::vector<core::FileId> inputs;
};
std::string sourcesText(const StepSources &sources);
std::optional<StepSources> readSources(llvm::StringRef text);

/// How a step ended that failed.
struct StepFailure {
  int status = 0;
  /// Not 0: a program was killed, or the steps do not tell what nvcc would do.
  int signal = 0;
  /// The host compiler removed an output that was there.
  bool removedOutput = false;
};
std::string failureText(const StepFailure &failure);
/// A damaged text is a failure by a signal.
StepFailure readFailure(llvm::StringRef text);

/// nvcc's output for --dryrun, and the question it answers.
struct KeptDryrun {
  std::string question, text;
  /// The programs that its commands start.
  std::vector<core::FileId> inputs;
};
std::string dryrunText(const KeptDryrun &kept);
std::optional<KeptDryrun> readKeptDryrun(llvm::StringRef text);

} // namespace cudacc::pipeline
