// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Plan.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// What a call passes to the cuda-cc processes below it: the shim that nvcc links through, or the
/// one in a compiler's wrapper. It travels in one environment variable, which is private to
/// cuda-cc: lines of `key=value`, no setting, and nothing that a user should set. Keys that are not
/// known are left out, as an older or a newer cuda-cc may stand below.
struct Nested {
  static constexpr llvm::StringLiteral variable = "CUDA_CC_NESTED";

  /// `facts=1`: the link prints the facts of its output (--cudacc-print=facts).
  bool printsFacts = false;
  /// `manifest=WHEN`: the value of --cudacc-manifest.
  std::optional<std::string> manifest;
  /// `lock=DIGEST`: outputs that a process further out has locked.
  std::vector<std::string> locks;
  /// The variable is set.
  bool isInherited = false;

  static Nested read(const core::Environment &environment);
  /// Sets the variable for \p command, or unsets it where it is inherited and nothing is to be
  /// passed.
  void pass(core::Command &command) const;
};

} // namespace cudacc::pipeline
