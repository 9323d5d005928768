#include "driver/Environments.h"
#include "driver/core/Diagnostic.h"
#include "driver/core/Machine.h"
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

/// Of all that tell. Wheels of two machines in one folder: pip asks for one platform per call.
static void findMachine(Files &files, PythonEnvironment &environment) {
  const InstalledLibrary *first = nullptr;
  for (const InstalledLibrary &library : environment.libraries) {
    uint16_t found = machineOf(files, library.path);
    if (found && first && found != environment.machine) {
      Finding problem;
      problem.code = Code::EvidenceConflict;
      problem.severity = Severity::Warning;
      problem.message = "libraries for two machines in one environment";
      problem.facts = {{"environment", environment.prefix},
                       {describeMachine(environment.machine), first->path},
                       {describeMachine(found), library.path}};
      environment.problems.push_back(std::move(problem));
      environment.machine = 0;
      return;
    }
    if (!found || first)
      continue;
    first = &library;
    environment.machine = found;
  }
}

llvm::Expected<PythonEnvironment> readEnvironment(World &world, probe::Store &store,
                                                  const std::string &prefix) {
  return store.environment(prefix, [&] {
    auto found = probe::readEnvironment(prefix, world.files);
    if (found) {
      findMachine(world.files, *found);
      // Another program knows other distributions and libraries.
      found->inputs.push_back(world.files.stat(world.self).id);
      found->inputs.back().path = world.self;
    }
    return found;
  });
}

} // namespace cudacc
