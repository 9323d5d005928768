// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Plan.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::pipeline {

/// What a call passes to the cuda-cc processes below it: the shim that nvcc links through, or the
/// one started by a compiler's wrapper. It is passed in one private environment variable, as lines
/// of `key=value`; users should not set it. Unknown keys are ignored, as the other process may be
/// an older or newer cuda-cc.
struct Nested {
  static constexpr llvm::StringLiteral variable = "CUDA_CC_NESTED";

  /// `facts=1`: the link prints the facts of its output (--cudacc-print=facts).
  bool printsFacts = false;
  /// `manifest=WHEN`: the value of --cudacc-manifest.
  std::optional<std::string> manifest;
  /// `lock=DIGEST`: outputs that an outer process has locked.
  std::vector<std::string> locks;
  /// The variable is set.
  bool isInherited = false;

  static Nested read(const core::Environment &environment);
  /// Sets the variable for \p command; unsets it if it is inherited and there is nothing to pass.
  void pass(core::Command &command) const;
};

} // namespace cudacc::pipeline
