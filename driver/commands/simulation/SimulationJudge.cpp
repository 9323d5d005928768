// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/pipeline/JudgeFile.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::joinPath;
using support::nameOf;

/// Finds what NVIDIA's libraries open at run time of their own wheel, or would not find.
void Simulation::findParts(const Process &now) {
  for (process::FoundPart &each : process::partsOf(now, target, subject.path)) {
    each.opener = tree.real(each.opener);
    if (!each.found.ok()) {
      outcome.load.notOpened.push_back(each.notOpened());
      continue;
    }
    if (each.found.steps.empty())
      continue;
    const LoadStep &step = each.found.steps.front();
    if (step.by != LoadedBy::AlreadyLoaded && step.by != LoadedBy::SameFile)
      process.parts.push_back({each.part.soname, each.opener, copyOf(step, ""),
                               lackedBy(step.path, each.part, each.opener), each.part.endsProcess});
  }
}

/// Functions that a part at \p path from elsewhere than beside its opener lacks.
std::vector<std::string> Simulation::lackedBy(llvm::StringRef path, const policy::OpenedPart &part,
                                              llvm::StringRef opener) {
  std::vector<std::string> lacked;
  if (support::parentOf(tree.real(path)) != support::parentOf(opener))
    for (std::string &name : policy::functionsOf(part))
      if (tree.exported(path, name, "") == Exported::No)
        lacked.push_back(std::move(name));
  return lacked;
}

/// What libraries that are not on disk yet import is known only from their couplings (RL-9).
void Simulation::judgeCouplings() {
  for (const LoadedCopy &copy : diagnosis.loaded) {
    const auto *file = tree.changed(copy.path);
    if (!file)
      continue;
    for (const tables::Coupling &coupling :
         tables::couplingsOf(file->row.soname, file->row.dist, file->row.version)) {
      auto other = llvm::find_if(
          diagnosis.loaded, [&](const LoadedCopy &each) { return each.name == coupling.soname; });
      if (other == diagnosis.loaded.end() || tree.changed(other->path))
        continue;
      auto version = Version::parse(other->version);
      if (version && tables::fits(coupling, *version) == tables::CouplingFit::Holds)
        continue;
      Finding finding =
          makeFinding(Code::Floor, fmt::format("{} needs another {}", copy.name, coupling.soname));
      finding.library = copy.name;
      diagnosis.judgement.verdict.add(std::move(finding));
    }
  }
}

/// The libraries of another torch are not on disk; the table lists what they export.
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
    finding.message = fmt::format("torch {} lacks {}", change.torch, finding.symbol);
    diagnosis.judgement.verdict.add(std::move(finding));
    return;
  }
}

/// Makes `target` describe the copies that the process loaded.
void Simulation::takeRows() {
  target = installed ? *installed : Target();
  for (const LoadedCopy &copy : diagnosis.loaded) {
    if (!copy.isCuda || tables::isDriverLibrary(copy.name) || tables::majorsOf(copy.name).empty())
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
    if (const auto *changed = tree.changed(copy.path)) {
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
  // The loader skipped copies for other machines.
  if (outcome.load.ok())
    target.machine = machineOfProcess();
  target.enforce = Enforce::Symbols;
  if (snapshot.report.driver.present() && !snapshot.report.driver.release.empty()) {
    target.driver = snapshot.report.driver.release;
    target.driverCuda = snapshot.report.driver.cuda;
  }
}

/// Only symbols that show torch's ABI of strings matter; the others were bound.
policy::StringAbi Simulation::torchStrings() const {
  for (const std::string &site : snapshot.environment.sitePackages) {
    std::string path = joinPath(joinPath(site, tables::torchFolder), "libc10.so");
    if (!outcome.ok() && simulator.system.files.stat(path).exists())
      return policy::stringAbiOf(
          [&](llvm::StringRef symbol) { return simulator.disk.exported(path, symbol, ""); });
  }
  return policy::StringAbi::None;
}

/// Sets what rules and remedies need of `process`.
void Simulation::fillCase() {
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
  process.preload = snapshot.preload;
  process.distributions = snapshot.environment.distributions;
  process.torch = snapshot.environment.torch ? snapshot.environment.torch->version : "";
  process.torchTable = policy::mayUseTorch(facts) ? &simulator.torchTables() : nullptr;
  process.torchStrings = torchStrings();
}

/// Judges the file against the target with the rules for any runtime. Fixes of an environment are
/// changes of it, which are tried separately.
std::vector<Finding> Simulation::judgeFile(const LoadResult &load,
                                           const std::vector<LibraryFloor> *floors) {
  policy::FileCase judged;
  judged.facts = &facts;
  judged.target = &target;
  judged.exports = &tree;
  judged.load = &load;
  judged.remarks = true;
  judged.floors = floors;
  judged.others = policy::Others{{}, /*isComplete=*/false};
  if (outcome.load.ok())
    judged.unbound = outcome.binding ? outcome.binding->missing : std::vector<std::string>();
  pipeline::FilePlace place;
  place.pythonPrefix = snapshot.report.prefix;
  return pipeline::judgeFile(simulator.system, simulator.torchTables, simulator.disk, judged, place,
                             [] { return std::vector<FoundToolkit>(); });
}

/// Adds findings about what leaves the verdict open.
void Simulation::addUnknown(std::vector<Finding> &findings) {
  if (!outcome.unknown.empty()) {
    Finding &unknown = findings.emplace_back(makeFinding(
        Code::UnreadableFile, "the search of the loader depends on files that could not be read"));
    for (const std::string &clause : outcome.unknown)
      unknown.facts.push_back({"unknown", clause});
  }
  if (!driverMissing.empty() && !snapshot.hasAnyDriver) {
    Finding &absent = findings.emplace_back(makeFinding(
        Code::DriverAbsent, fmt::format("this machine has no driver: no {}", driverName)));
    absent.library = driverName;
  }
}

/// What this machine alone would provide in place of a library that is missing.
void Simulation::sayWhatIsHere(std::vector<Finding> &findings) {
  if (!snapshot.isCleanMachine || outcome.load.missing.empty())
    return;
  auto path = simulator.disk.cached(outcome.load.missing, machineOfProcess());
  auto about = llvm::find_if(findings, [&](const Finding &each) {
    return each.severity == Severity::Error && each.library == outcome.load.missing;
  });
  if (path && about != findings.end())
    about->addFact("but", fmt::format("the loader's cache of this machine has {}", *path));
}

void Simulation::judge(const Process &now) {
  takeRows();
  fillCase();
  if (outcome.ok())
    findParts(now);
  else
    process.isOnDemand = !subject.isNamed && simulator.onDemand.has(subject);
  LoadResult load = outcome.load;
  for (LoadStep &step : load.steps)
    if (target.find(step.name))
      step.path = tree.real(step.path);
  std::vector<LibraryFloor> floors;
  unsigned major = policy::majorOf(facts);
  bool hasFloors = target.line.known() || major;
  if (hasFloors)
    floors = policy::floorsOf(facts, major ? major : target.line.major);
  std::vector<Finding> findings =
      policy::judgeProcess(process, judgeFile(load, hasFloors ? &floors : nullptr));
  addUnknown(findings);
  sayWhatIsHere(findings);
  if (tree.hasOtherLibraries())
    judgeCouplings();
  judgeOtherTorch();
  addOpener(now, findings);
  diagnosis.load = std::move(load);
  diagnosis.judgement.floor = std::move(floors);
  diagnosis.judgement.verdict.append(std::move(findings));
}

/// Python looks up the init function by name in a module that was loaded.
void Simulation::judgeModule() {
  std::string function = initFunctionOf(subject.path);
  // The only file of a package may be a library that its Python code opens.
  llvm::StringRef imported = subject.module;
  imported = imported.substr(imported.rfind('.') + 1);
  bool isImported = !imported.empty() && function == fmt::format("PyInit_{}", imported);
  bool isModule = isImported || pythonOfModule(nameOf(subject.path));
  if (!isModule || function.empty() || !outcome.ok() || facts.kind != BinaryKind::SharedObject ||
      simulator.disk.exported(subject.path, function, "") != Exported::No)
    return;
  diagnosis.judgement.verdict.add(policy::lacksInitFunction(subject.path, function, isImported));
  if (!isImported)
    return;
  diagnosis.ends = Diagnosis::Ends::Fails;
  diagnosis.predicted = policy::lacksInitFunctionWords(function);
}

} // namespace cudacc::commands
