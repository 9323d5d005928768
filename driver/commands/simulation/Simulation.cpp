// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::nameOf;

/// Whether the library belongs to the system of another machine, about which this one says nothing.
bool Simulation::isOfOtherMachine(llvm::StringRef soname) const {
  return machineOfProcess() != ownMachine().elf && !tables::libraryByFileName(soname) &&
         !tables::isTorchLibrary(soname);
}

/// Assumes libraries of the driver and of another machine's system to be there if they are missing,
/// so that a machine without them still shows what else fails.
process::Process::Outcome Simulation::openOne(Process &process, const PreloadedFile &file) {
  Process::Outcome result = process.open(file.path, file.isGlobal, file.label);
  while (!result.load.ok() &&
         (tables::isDriverLibrary(result.load.missing) ||
          (!result.load.missing.empty() && isOfOtherMachine(result.load.missing)))) {
    if (driverMissing.empty() && tables::isDriverLibrary(result.load.missing)) {
      driverMissing = result.load.failure;
      driverName = result.load.missing;
    }
    process.assume(result.load.missing);
    result = process.open(file.path, file.isGlobal, file.label);
  }
  return result;
}

bool Simulation::openAll(Process &process, llvm::StringRef name) {
  for (const PreloadedFile &file : filesOf(simulator.system, snapshot, name)) {
    outcome = openAsPackage(process, file);
    if (!outcome.ok())
      return false;
  }
  return true;
}

void Simulation::load(Process &process) {
  std::vector<std::string> preload = change.preload;
  if (!change.withoutPreload)
    preload.insert(preload.end(), snapshot.preload.begin(), snapshot.preload.end());
  process.surround(libraryPath, preload);
  if (facts.kind == BinaryKind::Executable) {
    std::string self = simulator.disk.real(support::absolute(subject.path, simulator.disk.files));
    outcome = process.start(subject.path, self, facts, snapshot.bindNow);
    while (!outcome.load.ok() && tables::isDriverLibrary(outcome.load.missing)) {
      driverMissing = driverMissing.empty() ? outcome.load.failure : driverMissing;
      driverName = outcome.load.missing;
      process.assume(outcome.load.missing);
      std::string self = simulator.disk.real(support::absolute(subject.path, simulator.disk.files));
      outcome = process.start(subject.path, self, facts, snapshot.bindNow);
    }
    return;
  }
  std::string python = simulator.disk.real(snapshot.report.python);
  const BinaryFacts *program = simulator.disk.program(python);
  if (!program || program->machine == machineOfProcess())
    if (auto failed = process.startPython(python, program)) {
      outcome.load = std::move(*failed);
      return;
    }
  for (const std::string &name : before)
    if (!openAll(process, name))
      return;
  outcome = openAsPackage(process, {subject.path, false, ""});
  if (!outcome.ok() && !openBySiblings(process))
    return;
  // Importing in another order is no fix if the other modules then fail.
  Process::Outcome own = std::move(outcome);
  for (const std::string &name : snapshot.report.before)
    if (!llvm::is_contained(before, name) && !openAll(process, name))
      return;
  outcome = std::move(own);
}

static std::string becauseOf(const LoadStep &step) {
  switch (step.by) {
  case LoadedBy::Rpath:
  case LoadedBy::Runpath:
    return fmt::format("{} {} of {}", step.by == LoadedBy::Rpath ? "RPATH" : "RUNPATH",
                       step.element, nameOf(step.elementOf));
  case LoadedBy::LibraryPath:
    return "LD_LIBRARY_PATH";
  case LoadedBy::Cache:
    return "the loader's cache";
  case LoadedBy::Default:
    return "a default directory";
  default:
    return "opened by its path";
  }
}

LoadedCopy Simulation::copyOf(const LoadStep &step, llvm::StringRef label) {
  LoadedCopy copy;
  copy.path = tree.real(step.path);
  copy.name = llvm::StringRef(step.name).contains('/') ? nameOf(step.path).str() : step.name;
  copy.because = becauseOf(step);
  copy.broughtBy = label.str();
  copy.askedBy = step.askedBy;
  if (step.by == LoadedBy::LibraryPath)
    copy.element = step.element;
  bool isHashed = llvm::StringRef(copy.name).contains('-');
  copy.isCuda = tables::libraryByFileName(copy.name).has_value() ||
                (isHashed && tables::libraryByFileName(nameOf(copy.path)).has_value());
  if (const auto *changed = tree.changed(copy.path)) {
    copy.version = changed->row.version.str();
    copy.cuda = changed->row.cuda;
  } else if (copy.isCuda && !tables::isDriverLibrary(copy.name)) {
    const policy::FoundCopy &found = simulator.inventory.of(copy.path);
    copy.version = found.version;
    copy.cuda = found.cuda;
  }
  return copy;
}

void Simulation::note(const Process &process) {
  for (const Process::Taken &taken : process.taken())
    if (taken.label != "the program")
      diagnosis.loaded.push_back(copyOf(taken.step, taken.label));
  // The objects that a failed load had mapped before it failed.
  if (outcome.ok() || facts.kind == BinaryKind::Executable)
    return;
  for (const LoadStep &step : outcome.load.steps)
    if (step.by != LoadedBy::AlreadyLoaded && step.by != LoadedBy::SameFile && !step.path.empty())
      diagnosis.loaded.push_back(copyOf(step, ""));
}

void Simulation::predict() {
  bool isProgram = facts.kind == BinaryKind::Executable;
  const LoadResult &load = outcome.load;
  bool lacksDriver = !driverMissing.empty() && !snapshot.hasAnyDriver;
  std::string missing = lacksDriver ? driverMissing : load.failure;
  if (!missing.empty()) {
    diagnosis.ends = Diagnosis::Ends::Fails;
    diagnosis.predicted = isProgram ? fmt::format("{}: error while loading shared libraries: {}",
                                                  subject.path, missing)
                                    : missing;
    if (load.endsProcess)
      diagnosis.ends = Diagnosis::Ends::Aborts;
    return;
  }
  if (!outcome.binding)
    return;
  const BindingFailure &binding = *outcome.binding;
  diagnosis.predicted = binding.words;
  switch (binding.ends) {
  case BindingFailure::Ends::Process:
    diagnosis.ends = Diagnosis::Ends::Aborts;
    return;
  case BindingFailure::Ends::Load:
    diagnosis.ends = Diagnosis::Ends::Fails;
    if (isProgram)
      diagnosis.predicted =
          fmt::format("{}: {}{}", subject.path,
                      binding.symbol.empty() ? "" : "symbol lookup error: ", binding.words);
    return;
  case BindingFailure::Ends::FirstCall:
    diagnosis.ends = Diagnosis::Ends::FirstCall;
    diagnosis.predicted = fmt::format("{}: symbol lookup error: {}", subject.path, binding.words);
    return;
  }
}

/// A process belongs to the machine of its program. If Python and the file agree, libraries for
/// another machine in the environment are the error. In an environment for another machine than
/// this one, the program cannot be examined from here.
uint16_t Simulation::machineOfProcess() const {
  if (facts.kind == BinaryKind::Executable)
    return subject.facts.machine;
  const BinaryFacts *python = simulator.disk.program(simulator.disk.real(snapshot.report.python));
  if (python && python->machine == subject.facts.machine)
    return python->machine;
  if (installed && installed->machine)
    return installed->machine;
  return python ? python->machine : subject.facts.machine;
}

void Simulation::run() {
  applyChange();
  // A program with the name of a module is opened as a module.
  if (!subject.module.empty() || pythonOfModule(nameOf(subject.path)))
    facts.kind = BinaryKind::SharedObject;
  Process now(tree, machineOfProcess(), simulator.disk.files.workingDirectory());
  load(now);
  if (outcome.ok())
    use(now);
  note(now);
  predict();
  diagnosis.judgement.path = subject.name;
  diagnosis.judgement.line = installed ? installed->line : CudaVersion();
  judge(now);
  judgeModule();
}

} // namespace cudacc::commands
