// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include "driver/versions/Exported.h"
#include "plugins/rtld/Loads.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::rtld {

/// Access to the files of this machine; the same file may be requested several times.
struct Surroundings {
  loader::Open open;
  loader::Cache cache;
  /// Undefined symbols with the file names from verneed.
  llvm::function_ref<std::vector<core::Import>(llvm::StringRef path)> importsOf;
  llvm::function_ref<versions::Exported(llvm::StringRef path, llvm::StringRef symbol,
                                        llvm::StringRef node)>
      exports;
  /// Fills in version, cuda and evidence of a copy.
  llvm::function_ref<void(TracedCopy &)> identify;
};

/// Replays a process load by load: collects the requests for NVIDIA's libraries, and compares every
/// load with its simulation.
TracedProcess replay(const ProcessRecord &record, const Loads &loads,
                     const Surroundings &surroundings);

} // namespace cudacc::rtld
