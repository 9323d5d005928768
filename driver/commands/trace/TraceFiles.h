// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/LibraryInventory.h"
#include "plugins/rtld/Trace.h"

namespace cudacc::commands {

/// The files that a traced program used, examined on this disk afterwards.
class TraceFiles {
public:
  /// \p machine: ELF e_machine of the traced programs.
  TraceFiles(pipeline::System &system, uint16_t machine);
  rtld::TraceReport trace(const rtld::Records &records, llvm::StringRef module);

private:
  pipeline::System &system;
  uint16_t machine;
  pipeline::Disk disk;
  FileCache fileCache;
  LibraryInventory inventory;
  llvm::StringMap<std::vector<core::Import>> imports;
  llvm::StringMap<core::LinkedLibrary> identified;

  const std::vector<core::Import> &importsOf(llvm::StringRef path);
  void identify(rtld::TracedCopy &copy);
};

} // namespace cudacc::commands
