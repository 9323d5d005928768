#include "driver/commands/simulation/Simulation.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"

namespace cudacc::commands {

using namespace core;
using support::nameOf;

static std::string becauseOf(const LoadStep &step) {
  switch (step.by) {
  case LoadedBy::Rpath:
  case LoadedBy::Runpath:
    return std::string(step.by == LoadedBy::Rpath ? "RPATH " : "RUNPATH ") + step.element + " of " +
           nameOf(step.elementOf).str();
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

void Simulation::noteStep(const Process &process, const LoadStep &step, llvm::StringRef label) {
  LoadedCopy copy;
  copy.path = real(step.path);
  copy.name = llvm::StringRef(step.name).contains('/') ? nameOf(step.path).str() : step.name;
  copy.because = becauseOf(step);
  copy.broughtBy = label.str();
  copy.askedBy = step.askedBy;
  if (step.by == LoadedBy::LibraryPath)
    copy.element = step.element;
  bool isHashed = llvm::StringRef(copy.name).contains('-');
  copy.isCuda = tables::libraryByFileName(copy.name).has_value() ||
                (isHashed && tables::libraryByFileName(nameOf(copy.path)).has_value());
  if (const Overlay::File *changed = process.changed(copy.path)) {
    copy.version = changed->row.version.str();
    copy.cuda = changed->row.cuda;
  } else if (copy.isCuda && !isOfDriver(copy.name)) {
    const policy::FoundCopy &found = simulator.inventory.of(copy.path);
    copy.version = found.version;
    copy.cuda = found.cuda;
  }
  diagnosis.loaded.push_back(std::move(copy));
}

void Simulation::note(const Process &process) {
  for (const Process::Taken &taken : process.taken())
    if (taken.label != "the program")
      noteStep(process, taken.step, taken.label);
  // What failed was mapped so far.
  if (outcome.ok() || facts.kind == BinaryKind::Executable)
    return;
  for (const LoadStep &step : outcome.load.steps)
    if (step.by != LoadedBy::AlreadyLoaded && step.by != LoadedBy::SameFile && !step.path.empty())
      noteStep(process, step, "");
}

} // namespace cudacc::commands
