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

/// Of the environment's own Python; 0: it has none.
static uint16_t machineOfPython(Files &files, PythonEnvironment &environment) {
  for (const char *name : {"/bin/python3", "/bin/python"}) {
    std::string path = environment.prefix + name;
    FileStatus status = files.stat(path);
    environment.inputs.push_back(status.id);
    environment.inputs.back().path = path;
    if (status.kind == FileStatus::Kind::Regular)
      return machineOf(files, path);
  }
  return 0;
}

/// Of all that tell. Wheels of two machines in one folder: pip asks for one platform per call, so
/// one of them is wrong, and Python says which.
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
      uint16_t python = machineOfPython(files, environment);
      bool isOne = python == found || python == environment.machine;
      environment.machine = isOne ? python : 0;
      if (isOne)
        problem.facts.push_back({"python", "for " + describeMachine(python)});
      environment.problems.push_back(std::move(problem));
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
