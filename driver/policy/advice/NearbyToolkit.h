#pragma once

#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace cudacc::policy {

/// A toolkit that lies on this machine, for ways out.
struct NearbyToolkit {
  versions::CudaVersion cuda;
  std::string path;
};

/// Asked only once something is wrong: looking around costs more than judging.
using LookAround = llvm::function_ref<std::vector<NearbyToolkit>()>;

} // namespace cudacc::policy
