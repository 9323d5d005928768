// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Fetched.h"
#include "driver/support/Paths.h"
#include "driver/support/Trust.h"
#include "driver/versions/Format.h"

namespace cudacc::pipeline {

using namespace core;

std::string cachePlace(const Environment &environment) {
  llvm::StringRef cache = environment.getOr("XDG_CACHE_HOME");
  if (cache.starts_with("/"))
    return support::joinPath(cache, "cuda-cc");
  llvm::StringRef home = environment.getOr("HOME");
  return home.starts_with("/") ? support::joinPath(home, ".cache/cuda-cc") : "";
}

std::string toolkitsPlace(llvm::StringRef cache) { return support::joinPath(cache, "toolkits"); }

llvm::Expected<std::string> fetchedToolkit(System &system, llvm::StringRef cache,
                                           const FetchPlan &plan) {
  std::string folder = support::joinPath(toolkitsPlace(cache), plan.key);
  if (!system.files.executable(support::joinPath(folder, "bin/nvcc")))
    return std::string();
  support::Trust trust(system.files, system.environment, system.uid);
  if (auto doubt = trust.doubt(folder))
    return makeError(doubt->finding("a fetched toolkit that others can write to", {}));
  return folder;
}

} // namespace cudacc::pipeline
