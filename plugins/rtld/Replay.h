// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include "driver/versions/Exported.h"
#include "plugins/rtld/Loads.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::rtld {

/// What is known of the files of this machine; answers may be asked for more than once.
struct Surroundings {
  loader::Open open;
  loader::Cache cache;
  /// Undefined symbols with the files that verneed names.
  llvm::function_ref<std::vector<core::Import>(llvm::StringRef path)> importsOf;
  llvm::function_ref<versions::Exported(llvm::StringRef path, llvm::StringRef symbol,
                                        llvm::StringRef node)>
      exports;
  /// Fills version, cuda and evidence of a copy.
  llvm::function_ref<void(TracedCopy &)> learn;
};

/// Goes through a process load by load, says what it was asked of NVIDIA's libraries, and holds
/// every load against the simulation of it.
TracedProcess replay(const ProcessRecord &record, const Loads &loads,
                     const Surroundings &surroundings);

} // namespace cudacc::rtld
