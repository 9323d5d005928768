// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"
#include <optional>
#include <vector>

/// Frameworks that are installed together: a process has one copy of each library, so the installer
/// chooses a version that satisfies all of them.
namespace cudacc::resolve {

/// A declared framework, with all requirements for it and for CUDA.
struct ConstraintGroup {
  llvm::SmallVector<DeclaredRequirement, 2> requirements;
  CandidateSet candidates;
};

/// Groups the requirements by framework, in the order of the declaration; a framework that requires
/// torch belongs to torch's group. One group if there is at most one framework. Candidates are not
/// filled in.
std::vector<ConstraintGroup> constraintGroupsOf(llvm::ArrayRef<DeclaredRequirement> requirements);

/// Why two candidates cannot be installed together: "nvidia-cudnn-cu12: torch 2.5.1 pins 9.1.0.70,
/// jax 0.6.0 needs >=9.8,<10.0". std::nullopt if they can.
std::optional<std::string> clash(const RuntimeCandidate &one, const RuntimeCandidate &other);

/// Keeps in each group the candidates that are compatible with one of every other group; line
/// ranges become the oldest line that all allow. If two groups have nothing in common, one gets
/// empty, and the reason is returned; else std::nullopt.
std::optional<std::string> agree(std::vector<ConstraintGroup> &groups);

} // namespace cudacc::resolve
