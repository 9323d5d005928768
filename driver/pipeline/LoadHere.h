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

/// What the loader does on this machine with a file where it lies, by the file's own search path:
/// what policy::Subject asks for CC4118. For several threads at once.
class LoadHere {
public:
  LoadHere(System &system, pipeline::Disk &disk) : system(system), disk(disk) {}

  /// Libraries that are none of the toolkit's count as found: a machine that builds may lack them,
  /// the driver first of all. Nothing: the file is not there, or is for another machine.
  /// \p libraryPath: elements of LD_LIBRARY_PATH that count.
  std::optional<core::LoadResult> load(const core::BinaryFacts &facts, llvm::StringRef path,
                                       llvm::ArrayRef<std::string> libraryPath = {});
  /// The CUDA release that a library belongs to; 0.0: could not be determined.
  versions::CudaVersion releaseOf(llvm::StringRef path);

private:
  static constexpr unsigned mostStrangers = 256;

  System &system;
  pipeline::Disk &disk;
  std::mutex mutex;
  std::map<std::string, versions::CudaVersion, std::less<>> releases;
};

} // namespace cudacc::pipeline
