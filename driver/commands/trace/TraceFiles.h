// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/pipeline/System.h"
#include "driver/process/DiskTree.h"
#include "plugins/rtld/Trace.h"

namespace cudacc::commands {

/// The files that a traced program used, examined on this disk afterwards.
class TraceFiles {
public:
  /// \p machine: ELF e_machine of the traced programs.
  TraceFiles(pipeline::System &system, uint16_t machine);
  rtld::TraceReport trace(const rtld::Records &records, llvm::StringRef module);

private:
  uint16_t machine;
  process::DiskTree disk;
  LibraryInventory inventory;
  llvm::StringMap<core::LinkedLibrary> identified;

  void identify(rtld::TracedCopy &copy);
};

} // namespace cudacc::commands
