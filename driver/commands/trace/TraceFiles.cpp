// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/trace/TraceFiles.h"
#include "driver/binary/Reader.h"

namespace cudacc::commands {

using namespace core;
using namespace rtld;

TraceFiles::TraceFiles(pipeline::System &system, uint16_t machine)
    : system(system), machine(machine), disk(system), fileCache(system), inventory(fileCache) {}

const std::vector<Import> &TraceFiles::importsOf(llvm::StringRef path) {
  auto [entry, isNew] = imports.try_emplace(path);
  if (!isNew)
    return entry->second;
  binary::ReadOptions options;
  options.thorough = false;
  auto file = system.files.open(path);
  auto facts = llvm::expectedToOptional(file ? binary::read(**file, path, options)
                                             : llvm::Expected<BinaryFacts>(file.takeError()));
  if (facts)
    entry->second = std::move(facts->imports);
  return entry->second;
}

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
  auto open = [&](llvm::StringRef path) { return disk.open(path, machine); };
  auto cached = [&](llvm::StringRef name) { return disk.cached(name, machine); };
  auto read = [&](llvm::StringRef path) { return importsOf(path); };
  auto ask = [&](llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
    return fileCache.exported(path, symbol, node);
  };
  auto know = [&](TracedCopy &copy) { identify(copy); };
  return rtld::trace(records, module, {open, cached, read, ask, know});
}

} // namespace cudacc::commands
