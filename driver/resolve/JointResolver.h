// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"
#include <optional>
#include <vector>

/// Frameworks that are installed beside each other: one process has one copy of each library, and
/// an installer chooses it so that it suits all of them.
namespace cudacc::resolve {

/// A framework that was declared, with everything that is said about it and about CUDA.
struct ConstraintGroup {
  llvm::SmallVector<DeclaredRequirement, 2> requirements;
  CandidateSet candidates;
};

/// The requirements by framework, in the order of the declaration; a framework that requires torch
/// stands with torch. One group where there is one framework or none. Their candidates are not
/// filled in.
std::vector<ConstraintGroup> constraintGroupsOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// Why two candidates cannot be installed together: "nvidia-cudnn-cu12: torch 2.5.1 pins 9.1.0.70,
/// jax 0.6.0 needs >=9.8,<10.0"; nothing: they can.
std::optional<std::string> clash(const Candidate &one, const Candidate &other);

/// Leaves of each group the candidates that go with one of every other group; a line that floats
/// becomes the oldest that all allow. The groups that have nothing in common are emptied; what says
/// so is the reason.
std::optional<std::string> agree(std::vector<ConstraintGroup> &groups);

} // namespace cudacc::resolve
