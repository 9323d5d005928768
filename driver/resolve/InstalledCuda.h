// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <optional>
#include <vector>

namespace cudacc::resolve {

/// An installed library and what the tables know about it.
struct PlacedLibrary {
  const core::InstalledLibrary *library = nullptr;
  /// The distribution under which the tables list it: its own, or for a conda package the wheel
  /// with the same library.
  llvm::StringRef dist;
  /// Without numbers if not known.
  versions::Version version;
  /// CUDA major it was built for; 0 if not known.
  unsigned major = 0;
  /// 0.0 if no toolkit contains it, or not known.
  versions::CudaVersion line;

  bool isRuntime() const;
};

/// The libraries of the environment that the tables know, in its order.
std::vector<PlacedLibrary> placedLibraries(const core::PythonEnvironment &environment,
                                           const tables::UserTables *more = nullptr);

/// 12 for `-cu12`; 0 without such a suffix, as for most wheels of CUDA 13.
unsigned majorOfSuffix(llvm::StringRef dist);

/// The CUDA line that the environment's torch was built for; 0.0 if none, or there is no torch.
versions::CudaVersion lineOfTorch(const core::PythonEnvironment &environment);

} // namespace cudacc::resolve
