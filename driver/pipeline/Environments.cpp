// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Environments.h"
#include "driver/binary/elf/Machine.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/python/Environment.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

uint16_t elfMachineOf(Files &files, llvm::StringRef path) {
  auto file = llvm::expectedToOptional(files.open(path));
  return file ? binary::machineOf(**file) : 0;
}

/// e_machine of the environment's Python; 0 if it has none.
static uint16_t machineOfPython(Files &files, PythonEnvironment &environment) {
  for (const char *name : {"/bin/python3", "/bin/python"}) {
    std::string path = environment.prefix + name;
    FileStatus status = files.stat(path);
    environment.inputs.push_back(status.id);
    environment.inputs.back().path = path;
    if (status.kind == FileStatus::Kind::Regular)
      return elfMachineOf(files, path);
  }
  return 0;
}

static Finding unreadLibrary(const PythonEnvironment &environment, llvm::Error error) {
  Finding problem = toFinding(std::move(error));
  problem.severity = Severity::Warning;
  problem.facts.push_back({"environment", environment.prefix});
  return problem;
}

/// Determines the machine from the libraries. Stubs for other machines that a distribution ships
/// beside its own libraries are left out, as nothing here loads them. Distributions for two
/// machines in one folder are an error in the environment, as pip installs for one platform per
/// call: this is reported, and Python's machine is taken.
static void findMachine(Files &files, PythonEnvironment &environment) {
  std::vector<uint16_t> machines;
  std::vector<std::string> paths;
  std::map<std::string, std::set<uint16_t>> ofDistribution;
  for (const InstalledLibrary &library : environment.libraries) {
    auto file = files.open(library.path);
    machines.push_back(file ? binary::machineOf(**file) : 0);
    if (!file)
      environment.problems.push_back(unreadLibrary(environment, file.takeError()));
    paths.push_back(library.path);
    if (machines.back())
      ofDistribution[library.dist].insert(machines.back());
  }
  std::map<uint16_t, size_t> counts;
  for (const auto &[dist, of] : ofDistribution)
    for (uint16_t machine : of)
      ++counts[machine];
  auto most = llvm::max_element(
      counts, [](const auto &one, const auto &other) { return one.second < other.second; });
  if (most == counts.end())
    return;
  uint16_t own = environment.machine = most->first;
  std::vector<InstalledLibrary> kept;
  for (size_t i = 0; i != environment.libraries.size(); ++i) {
    const InstalledLibrary &library = environment.libraries[i];
    if (!machines[i] || machines[i] == own) {
      kept.push_back(library);
      continue;
    }
    if (ofDistribution[library.dist].count(own))
      continue;
    size_t first = llvm::find(machines, own) - machines.begin();
    Finding problem;
    problem.code = Code::EvidenceConflict;
    problem.severity = Severity::Warning;
    problem.message = "libraries for two machines in one environment";
    problem.facts = {{"environment", environment.prefix},
                     {describeMachine(own), paths[first]},
                     {describeMachine(machines[i]), paths[i]}};
    uint16_t python = machineOfPython(files, environment);
    bool isOne = python == own || python == machines[i];
    environment.machine = isOne ? python : 0;
    if (isOne)
      problem.facts.push_back({"python", "for " + describeMachine(python)});
    environment.problems.push_back(std::move(problem));
    return;
  }
  environment.libraries = std::move(kept);
}

llvm::Expected<PythonEnvironment> readEnvironment(System &system, cache::Store &store,
                                                  const std::string &prefix) {
  return store.environment(prefix, [&] {
    auto found = probe::readEnvironment(prefix, system.files);
    if (found) {
      findMachine(system.files, *found);
      // Another cuda-cc may know other distributions and libraries.
      found->inputs.push_back(system.files.stat(system.self).id);
      found->inputs.back().path = system.self;
    }
    return found;
  });
}

} // namespace cudacc::pipeline
