#include "driver/commands/simulation/Simulation.h"
#include "driver/commands/simulation/OnDemand.h"
#include "driver/loader/simulate/WheelTree.h"
#include "driver/pipeline/PythonFolder.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/LibraryShape.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::joinPath;
using support::nameOf;

std::string Simulation::real(llvm::StringRef path) const {
  if (!overlay.files.empty())
    if (const std::string &plain = simulator.fileCache.plain(path); overlay.files.count(plain))
      return plain;
  return simulator.fileCache.real(path);
}

bool isOfDriver(llvm::StringRef soname) {
  auto known = tables::libraryByFileName(soname);
  return known && known->origin == tables::LibraryOrigin::Driver;
}

/// What this machine lacks says nothing about another.
bool Simulation::isOfOtherMachine(llvm::StringRef soname) const {
  return machineOfProcess() != ownMachine().elf && !tables::libraryByFileName(soname) &&
         !tables::isTorchLibrary(soname);
}

/// A machine without driver can still say what else would fail.
Process::Outcome Simulation::openOne(Process &process, const Opened &file) {
  Process::Outcome result = process.open(file.path, file.isGlobal, file.label);
  while (!result.load.ok() &&
         (isOfDriver(result.load.missing) ||
          (!result.load.missing.empty() && isOfOtherMachine(result.load.missing)))) {
    if (driverMissing.empty() && isOfDriver(result.load.missing)) {
      driverMissing = result.load.failure;
      driverName = result.load.missing;
    }
    process.assume(result.load.missing);
    result = process.open(file.path, file.isGlobal, file.label);
  }
  return result;
}

bool Simulation::openAll(Process &process, llvm::StringRef name) {
  for (const Opened &file : filesOf(simulator.system, snapshot, name)) {
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
    outcome = process.start(subject.path, facts, snapshot.bindNow);
    while (!outcome.load.ok() && isOfDriver(outcome.load.missing)) {
      driverMissing = driverMissing.empty() ? outcome.load.failure : driverMissing;
      driverName = outcome.load.missing;
      process.assume(outcome.load.missing);
      outcome = process.start(subject.path, facts, snapshot.bindNow);
    }
    return;
  }
  std::string python = simulator.fileCache.real(snapshot.report.python);
  const BinaryFacts *program = simulator.fileCache.program(python);
  if (!program || program->machine == machineOfProcess())
    process.startPython(python);
  for (const std::string &name : before)
    if (!openAll(process, name))
      return;
  outcome = openAsPackage(process, {subject.path, false, ""});
  if (!outcome.ok() && !openBySiblings(process))
    return;
  // Another order is no fix where the others fail in it.
  Process::Outcome own = std::move(outcome);
  for (const std::string &name : snapshot.report.before)
    if (!llvm::is_contained(before, name) && !openAll(process, name))
      return;
  outcome = std::move(own);
}

/// What NVIDIA's libraries open of their own wheel while they work.
void Simulation::findNotOpened(const Process &now) {
  for (const Process::Taken &taken : now.taken()) {
    auto known = tables::libraryByFileName(taken.step.name);
    const TargetLibrary *row = target.find(taken.step.name);
    auto shape =
        known && row ? tables::shapeOf(row->soname, row->dist, row->version) : std::nullopt;
    if (!shape || !shape->exact)
      continue;
    auto own = tables::sonamesOf(row->dist, row->version);
    for (llvm::StringRef name : shape->dlopens) {
      bool isFamily =
          name.starts_with(("lib" + known->name).str()) && llvm::is_contained(own, name);
      if (isFamily && !now.find(name, taken.step.path).ok())
        process.notOpened.emplace_back(name.str(), row->path);
    }
  }
}

/// What libraries that are no files yet import is known as their couplings (RL-9).
void Simulation::judgeCouplings(const Process &now) {
  for (const LoadedCopy &copy : diagnosis.loaded) {
    const Overlay::File *file = now.changed(copy.path);
    if (!file)
      continue;
    for (const tables::Coupling &coupling :
         tables::couplingsOf(file->row.soname, file->row.dist, file->row.version)) {
      auto other = llvm::find_if(
          diagnosis.loaded, [&](const LoadedCopy &each) { return each.name == coupling.soname; });
      if (other == diagnosis.loaded.end() || now.changed(other->path))
        continue;
      auto version = Version::parse(other->version);
      if (version && tables::fits(coupling, *version) == tables::CouplingFit::Holds)
        continue;
      Finding finding;
      finding.code = Code::Floor;
      finding.library = copy.name;
      finding.message = copy.name + " needs another " + coupling.soname.str();
      diagnosis.judgement.verdict.add(std::move(finding));
    }
  }
}

/// The libraries of another torch are no files here: the table says what they export.
void Simulation::judgeOtherTorch() {
  if (change.torch.empty() || !policy::mayUseTorch(facts))
    return;
  const tables::TorchNames *table = simulator.torchTables().names;
  if (!table)
    return;
  policy::RuntimeTorch release{change.torch, false, change.torch};
  for (const policy::TorchImports::Name &name : policy::torchImports(facts, table).names) {
    bool isTorchs = name.known && name.inFashion;
    if (!isTorchs ||
        policy::exportedByTorch(*table, name.symbol, release, facts.machine) != Exported::No)
      continue;
    Finding finding;
    finding.code = Code::TorchLacks;
    finding.symbol = name.symbol.str();
    finding.message = "torch " + change.torch + " lacks " + finding.symbol;
    diagnosis.judgement.verdict.add(std::move(finding));
    return;
  }
}

/// The copies that were taken are what the process has.
void Simulation::takeRows(const Process &now) {
  target = installed ? *installed : Target();
  for (const LoadedCopy &copy : diagnosis.loaded) {
    if (!copy.isCuda || isOfDriver(copy.name) || tables::majorsOf(copy.name).empty())
      continue;
    auto row = llvm::find_if(target.libraries,
                             [&](const TargetLibrary &each) { return each.soname == copy.name; });
    if (row != target.libraries.end() && row->path == copy.path)
      continue;
    if (row == target.libraries.end())
      row = target.libraries.insert(row, TargetLibrary());
    row->soname = copy.name;
    row->path = copy.path;
    row->origin = copy.broughtBy.empty() ? copy.because : "loaded before, by " + copy.broughtBy;
    if (const Overlay::File *changed = now.changed(copy.path)) {
      *row = changed->row;
      continue;
    }
    const policy::FoundCopy &found = simulator.inventory.of(copy.path);
    if (!found.dist.empty())
      row->dist = found.dist;
    row->version = Version::parse(copy.version).value_or(Version());
    row->cuda = copy.cuda;
    row->folder.clear();
    if (!target.line.known() && copy.cuda.known())
      target.line = copy.cuda;
  }
  llvm::sort(target.libraries, [](const TargetLibrary &one, const TargetLibrary &other) {
    return one.soname < other.soname;
  });
  target.declared = target.line.known();
  // LibraryInventory for other machines were passed over.
  if (outcome.load.ok())
    target.machine = machineOfProcess();
  target.enforce = Enforce::Symbols;
  if (snapshot.report.driver.present() && !snapshot.report.driver.release.empty()) {
    target.driver = snapshot.report.driver.release;
    target.driverCuda = snapshot.report.driver.cuda;
  }
}

void Simulation::predict() {
  bool isProgram = facts.kind == BinaryKind::Executable;
  const LoadResult &load = outcome.load;
  bool lacksDriver = !driverMissing.empty() && !snapshot.assumesDriver;
  std::string missing = lacksDriver ? driverMissing : load.failure;
  if (!missing.empty()) {
    diagnosis.ends = Diagnosis::Ends::Fails;
    diagnosis.predicted =
        (isProgram ? subject.path + ": error while loading shared libraries: " : "") + missing;
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
      diagnosis.predicted = subject.path + ": " +
                            (binding.symbol.empty() ? "" : "symbol lookup error: ") + binding.words;
    return;
  case BindingFailure::Ends::FirstCall:
    diagnosis.ends = Diagnosis::Ends::FirstCall;
    diagnosis.predicted = subject.path + ": symbol lookup error: " + binding.words;
    return;
  }
}

void Simulation::judge(const Process &now) {
  takeRows(now);
  process.file = &facts;
  process.path = subject.path;
  process.target = &target;
  process.installed = installed ? &*installed : nullptr;
  process.load = &outcome.load;
  process.binding = outcome.binding ? &*outcome.binding : nullptr;
  process.loaded = diagnosis.loaded;
  process.copies = simulator.inventory.all();
  process.libraryPath = libraryPath;
  process.before = before;
  process.isComplete = outcome.unknown.empty() && outcome.load.unknown.empty();
  auto isOnDemand = [&] { return isOpenedOnDemand(simulator.fileCache, snapshot, subject); };
  process.isOnDemand = isOnDemand;
  process.preload = snapshot.preload;
  // What tells its ABI of strings; the rest was bound.
  auto installedTorch = [&](llvm::StringRef symbol) {
    for (const std::string &site : snapshot.environment.sitePackages)
      if (std::string path = joinPath(joinPath(site, tables::torchFolder), "libc10.so");
          simulator.system.files.stat(path).exists())
        return simulator.fileCache.exported(path, symbol, "");
    return Exported::Unknown;
  };
  process.torch = snapshot.environment.torch ? snapshot.environment.torch->version : "";
  process.torchTable = simulator.torchTables;
  process.installedTorch = installedTorch;
  if (outcome.ok())
    findNotOpened(now);
  LoadResult load = outcome.load;
  for (LoadStep &step : load.steps)
    if (target.find(step.name))
      step.path = real(step.path);
  auto exported = [&](const TargetLibrary &library, llvm::StringRef symbol, llvm::StringRef node) {
    if (const Overlay::File *changed = now.changed(library.path))
      return changed->exported(symbol, node);
    return simulator.fileCache.exported(library.path, symbol, node);
  };
  policy::Subject judged;
  // Fixes of an environment are changes of it, which are tried apart.
  judged.isTrial = true;
  judged.facts = &facts;
  judged.target = &target;
  judged.load = &load;
  judged.remarks = true;
  auto others = [&](llvm::StringRef symbol) {
    if (!outcome.load.ok())
      return Exported::Unknown;
    if (outcome.ok())
      return Exported::Yes;
    return llvm::is_contained(outcome.binding->missing, symbol) ? Exported::No : Exported::Unknown;
  };
  judged.others = others;
  auto isOfPython = [&](llvm::StringRef folder) {
    return pipeline::isPythonFolder(simulator.system, facts, snapshot.report.prefix, folder);
  };
  judged.isPythonFolder = isOfPython;
  std::vector<LibraryFloor> floors;
  if (target.line.known() || policy::majorOf(facts)) {
    unsigned major = policy::majorOf(facts);
    floors = policy::floorsOf(facts, major ? major : target.line.major);
    judged.floors = &floors;
  }
  std::vector<Finding> findings =
      policy::judgeBinary(judged, exported, [] { return std::vector<FoundToolkit>(); });
  findings = policy::judgeProcess(process, std::move(findings));
  if (!outcome.unknown.empty()) {
    Finding &unknown = findings.emplace_back();
    unknown.code = Code::UnreadableFile;
    unknown.message = "the search of the loader depends on files that could not be read";
    for (const std::string &clause : outcome.unknown)
      unknown.facts.push_back({"unknown", clause});
  }
  if (!driverMissing.empty() && !snapshot.assumesDriver) {
    Finding &absent = findings.emplace_back();
    absent.code = Code::DriverAbsent;
    absent.library = driverName;
    absent.message = "this machine has no driver: no " + driverName;
  }
  if (!overlay.files.empty())
    judgeCouplings(now);
  judgeOtherTorch();
  sayWhoOpens(now, findings);
  // What remedies ask of the process later needs neither.
  process.isOnDemand = nullptr;
  process.installedTorch = nullptr;
  diagnosis.load = std::move(load);
  diagnosis.judgement.floor = std::move(floors);
  diagnosis.judgement.verdict.append(std::move(findings));
}

/// A process is of the machine of its program. Where Python and the file agree, libraries for
/// another machine in the environment are what is wrong; an environment of another machine than
/// this one has a program that cannot be seen from here.
uint16_t Simulation::machineOfProcess() const {
  if (facts.kind == BinaryKind::Executable)
    return subject.facts.machine;
  const BinaryFacts *python =
      simulator.fileCache.program(simulator.fileCache.real(snapshot.report.python));
  if (python && python->machine == subject.facts.machine)
    return python->machine;
  if (installed && installed->machine)
    return installed->machine;
  return python ? python->machine : subject.facts.machine;
}

void Simulation::run() {
  changeWorld();
  // A program under the name of a module is opened as one.
  if (!subject.module.empty() || pythonOfModule(nameOf(subject.path)))
    facts.kind = BinaryKind::SharedObject;
  Process now(simulator.fileCache, overlay, machineOfProcess());
  load(now);
  note(now);
  predict();
  diagnosis.judgement.path = subject.name;
  diagnosis.judgement.line = installed ? installed->line : CudaVersion();
  judge(now);
  judgeModule();
}

} // namespace cudacc::commands
