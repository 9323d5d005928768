#include "driver/Environments.h"
#include "driver/elf/Machine.h"
#include "driver/probe/Environment.h"

namespace cudacc {

using namespace core;

uint16_t machineOf(Files &files, llvm::StringRef path) {
  auto file = files.open(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  return elf::machineOf(**file);
}

/// Of all that tell; 0 where two disagree.
static uint16_t machineOf(Files &files, llvm::ArrayRef<InstalledLibrary> libraries) {
  uint16_t machine = 0;
  for (const InstalledLibrary &library : libraries) {
    uint16_t found = machineOf(files, library.path);
    if (found && machine && found != machine)
      return 0;
    if (found)
      machine = found;
  }
  return machine;
}

llvm::Expected<PythonEnvironment> readEnvironment(World &world, probe::Store &store,
                                                  const std::string &prefix) {
  return store.environment(prefix, [&] {
    auto found = probe::readEnvironment(prefix, world.files);
    if (found) {
      found->machine = machineOf(world.files, found->libraries);
      // Another program knows other distributions and libraries.
      found->inputs.push_back(world.files.stat(world.self).id);
      found->inputs.back().path = world.self;
    }
    return found;
  });
}

} // namespace cudacc
