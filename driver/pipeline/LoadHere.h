// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/LoadResult.h"
#include "driver/pipeline/System.h"
#include "driver/pipeline/Tree.h"
#include "driver/versions/CudaVersion.h"
#include <map>
#include <optional>

namespace cudacc::pipeline {

/// Simulates how this machine's loader loads a file from where it lies, by the file's own search
/// path: the input of policy::Subject for CC4118. Thread-safe.
class LoadHere {
public:
  LoadHere(System &system, pipeline::Disk &disk) : system(system), disk(disk) {}

  /// Missing libraries outside the toolkit count as found, as a build machine may lack them, above
  /// all the driver. std::nullopt if the file does not exist or is for another machine. \p
  /// libraryPath: the elements of LD_LIBRARY_PATH in effect.
  std::optional<core::LoadResult> load(const core::BinaryFacts &facts, llvm::StringRef path,
                                       llvm::ArrayRef<std::string> libraryPath = {});
  /// The CUDA release of a library; 0.0 if it could not be determined.
  versions::CudaVersion releaseOf(llvm::StringRef path);

private:
  static constexpr unsigned mostStrangers = 256;

  System &system;
  pipeline::Disk &disk;
  std::mutex mutex;
  std::map<std::string, versions::CudaVersion, std::less<>> releases;
};

} // namespace cudacc::pipeline
