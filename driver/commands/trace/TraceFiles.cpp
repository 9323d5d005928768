// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/trace/TraceFiles.h"

namespace cudacc::commands {

using namespace core;
using namespace rtld;

TraceFiles::TraceFiles(pipeline::System &system, uint16_t machine)
    : machine(machine), disk(system.files, /*imports=*/true),
      inventory(disk, system.environment.getOr("HOME").str()) {}

void TraceFiles::identify(TracedCopy &copy) {
  auto [entry, isNew] = identified.try_emplace(copy.path);
  LinkedLibrary &library = entry->second;
  if (isNew)
    library = inventory.identify(copy.path, copy.soname);
  copy.version = library.version;
  copy.cuda = library.cuda;
  copy.evidence = library.evidence;
}

TraceReport TraceFiles::trace(const rtld::Records &records, llvm::StringRef module) {
  auto know = [&](TracedCopy &copy) { identify(copy); };
  return rtld::trace(records, module, {disk, machine, know});
}

} // namespace cudacc::commands
