// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"
#include "driver/tables/lookup/Frameworks.h"

namespace cudacc::resolve {

/// A release that a requirement allows, as the metadata of its run says it is.
struct FrameworkRelease {
  tables::FrameworkRun run;
  /// As the tables have it, or as declared: `0.4.35`.
  std::string text;
  /// Its own metadata was not read: it lies between releases whose metadata was.
  bool extrapolated = false;
};

/// The releases that were read and satisfy the requirement, ascending; else the one it names
/// exactly, if that lies between such releases of one CUDA major (facts: versions). Runs that tell
/// nothing are among them.
std::vector<FrameworkRelease> releasesOf(const DeclaredRequirement &requirement);

/// What the framework's CUDA libraries are is said by the torch that it requires.
bool isThroughTorch(const DeclaredRequirement &requirement);

/// The releases that every requirement allows; requirements for CUDA are none of them.
CandidateSet frameworkCandidates(llvm::ArrayRef<DeclaredRequirement> requirements);

/// Releases of torch that the requirement allows, with the release that does. Nothing: none does.
std::optional<FrameworkRelease> requirerOf(llvm::ArrayRef<FrameworkRelease> releases,
                                           const versions::Version &torch);

/// `vllm 0.9.0`.
std::string describe(const DeclaredRequirement &requirement, const FrameworkRelease &release);

} // namespace cudacc::resolve
