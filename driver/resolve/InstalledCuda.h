// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <optional>
#include <vector>

namespace cudacc::resolve {

/// An installed library with what the tables say about it.
struct PlacedLibrary {
  const core::InstalledLibrary *library = nullptr;
  /// The distribution under which the tables know it: its own, or the wheel that brings the same
  /// library as a conda package does.
  llvm::StringRef dist;
  /// Without numbers: not known.
  versions::Version version;
  /// CUDA major it is for; 0: not known.
  unsigned major = 0;
  /// 0.0: not numbered by toolkits, or not known.
  versions::CudaVersion line;

  bool isRuntime() const;
};

/// In the order of the environment, each of the libraries that the tables know.
std::vector<PlacedLibrary> placedLibraries(const core::PythonEnvironment &environment,
                                           const tables::UserTables *more = nullptr);

/// The 12 of `-cu12`; 0: no such suffix, as CUDA 13 has it but where a library is released apart.
unsigned majorOfSuffix(llvm::StringRef dist);

/// What torch of the environment was built for; 0.0: no CUDA, or no torch.
versions::CudaVersion lineOfTorch(const core::PythonEnvironment &environment);

} // namespace cudacc::resolve
