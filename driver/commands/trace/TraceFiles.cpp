#include "driver/commands/trace/TraceFiles.h"
#include "driver/binary/Reader.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using namespace rtld;

TraceFiles::TraceFiles(pipeline::System &system, uint16_t machine)
    : system(system), machine(machine), disk(system), exported(system.files) {}

const std::vector<Import> &TraceFiles::importsOf(llvm::StringRef path) {
  auto [entry, isNew] = imports.try_emplace(path);
  if (!isNew)
    return entry->second;
  binary::ReadOptions options;
  options.thorough = false;
  auto file = system.files.open(path);
  auto facts =
      file ? binary::read(**file, path, options) : llvm::Expected<BinaryFacts>(file.takeError());
  if (facts)
    entry->second = std::move(facts->imports);
  else
    llvm::consumeError(facts.takeError());
  return entry->second;
}

Exported TraceFiles::exports(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
  TargetLibrary library;
  library.path = path.str();
  return exported(library, symbol, node);
}

void TraceFiles::learn(TracedCopy &copy) {
  auto [entry, isNew] = librariesByPath.try_emplace(copy.path);
  LinkedLibrary &library = entry->second;
  if (isNew) {
    auto names = [&](llvm::StringRef path) { return pipeline::libraryNames(system.files, path); };
    auto suffix = [&](llvm::StringRef path) {
      return pipeline::newestNvJitLink(system.files, path);
    };
    library.path = copy.path;
    library.soname = copy.soname;
    probe::LibraryReader reader{names, suffix};
    probe::LibraryEvidence(system.files, reader, system.environment.getOr("HOME")).learn(library);
  }
  copy.version = library.version;
  copy.cuda = library.cuda;
  copy.evidence = library.evidence;
}

TraceReport TraceFiles::trace(const rtld::Records &records, llvm::StringRef module) {
  auto open = [&](llvm::StringRef path) { return disk.open(path, machine); };
  auto cached = [&](llvm::StringRef name) { return disk.cached(name, machine); };
  auto read = [&](llvm::StringRef path) { return importsOf(path); };
  auto ask = [&](llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
    return exports(path, symbol, node);
  };
  auto know = [&](TracedCopy &copy) { learn(copy); };
  return rtld::trace(records, module, {open, cached, read, ask, know});
}

} // namespace cudacc::commands
