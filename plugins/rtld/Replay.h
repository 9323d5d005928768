// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/loader/search/Loader.h"
#include "driver/versions/Exported.h"
#include "plugins/rtld/Loads.h"
#include "plugins/rtld/TraceReport.h"

namespace cudacc::rtld {

/// Access to the files of this machine; the same file may be requested several times.
struct MachineFiles {
  loader::Tree &tree;
  /// ELF e_machine of the processes.
  uint16_t machine;
  /// Fills in version, cuda and evidence of a copy.
  llvm::function_ref<void(TracedCopy &)> identify;

  loader::Candidate open(llvm::StringRef path) const { return tree.open(path, machine); }
};

/// Replays a process load by load: collects the requests for NVIDIA's libraries, and compares every
/// load with its simulation.
TracedProcess replay(const ProcessRecord &record, const Loads &loads,
                     const MachineFiles &surroundings);

} // namespace cudacc::rtld
