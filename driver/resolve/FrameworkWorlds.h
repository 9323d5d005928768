#pragma once

#include "driver/resolve/Worlds.h"
#include "driver/tables/lookup/Frameworks.h"

namespace cudacc::resolve {

/// A release that a wish allows, as the metadata of its run says it is.
struct FrameworkRelease {
  tables::FrameworkRun run;
  /// As the tables have it, or as declared: `0.4.35`.
  std::string text;
  /// Its own metadata was not read: it lies between releases whose metadata was.
  bool extrapolated = false;
};

/// The releases that were read and satisfy the wish, ascending; else the one it names exactly, if
/// that lies between such releases of one CUDA major (facts: versions). Runs that tell nothing are
/// among them.
std::vector<FrameworkRelease> releasesOf(const Wish &wish);

/// What the framework's CUDA libraries are is said by the torch that it requires.
bool isThroughTorch(const Wish &wish);

/// The releases that every wish allows; wishes for CUDA are none of them.
Worlds frameworkWorlds(llvm::ArrayRef<Wish> wishes);

/// Releases of torch that the wish allows, with the release that does. Nothing: none does.
std::optional<FrameworkRelease> requirerOf(llvm::ArrayRef<FrameworkRelease> releases,
                                           const versions::Version &torch);

/// `vllm 0.9.0`.
std::string describe(const Wish &wish, const FrameworkRelease &release);

} // namespace cudacc::resolve
