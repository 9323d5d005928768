// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/plan/ninja/StepGraph.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::pipeline {

/// Names of files in the folder in which Ninja builds one output (backend = "ninja"). Each step has
/// `NAME.step`, and, once it succeeded, `NAME.record`.
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

/// What `NAME.step` says: everything that is needed to run a step.
struct PlacedStep {
  plan::Step step;
  /// Its place in nvcc's order.
  uint64_t order = 0;
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

/// How a step ended that did not succeed.
struct StepFailure {
  enum class End {
    /// As nvcc's command would have.
    Failed,
    /// What nvcc would do is not known: it has to run the call as a whole.
    RunWhole,
  };
  End end = End::RunWhole;
  /// Exit status of its command, and what that printed.
  int status = 1;
  std::string out, err;
  /// The host compiler removed an output that was there.
  bool removedOutput = false;
};
std::string failureText(const StepFailure &failure);
/// A damaged text is RunWhole.
StepFailure readFailure(llvm::StringRef text);

} // namespace cudacc::pipeline
