// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/resolve/Candidates.h"
#include "driver/tables/lookup/Frameworks.h"

namespace cudacc::resolve {

/// A release that a requirement allows. A run is a series of releases with the same metadata.
struct FrameworkRelease {
  tables::FrameworkRun run;
  /// As in the tables, or as declared: `0.4.35`.
  std::string text;
  /// Its own metadata was not read; it lies between releases whose metadata was.
  bool extrapolated = false;
};

/// The releases that were read and satisfy the requirement, ascending. If there are none: the
/// release that it names exactly, if that lies between releases of one CUDA major that were read
/// (`versions` in the facts file). Includes releases whose metadata says nothing about CUDA.
std::vector<FrameworkRelease> releasesOf(const DeclaredRequirement &requirement);

/// Whether the framework gets its CUDA libraries through the torch that it requires.
bool isThroughTorch(const DeclaredRequirement &requirement);

/// The framework releases that satisfy every requirement; requirements for CUDA are ignored.
CandidateSet frameworkCandidates(llvm::ArrayRef<DeclaredRequirement> requirements);

/// The first of \p releases that allows the release \p torch; std::nullopt if none does.
std::optional<FrameworkRelease> requirerOf(llvm::ArrayRef<FrameworkRelease> releases,
                                           const versions::Version &torch);

/// `vllm 0.9.0`.
std::string describe(const DeclaredRequirement &requirement, const FrameworkRelease &release);

} // namespace cudacc::resolve
