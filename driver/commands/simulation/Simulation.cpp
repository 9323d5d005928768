// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/process/TableTree.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::joinPath;
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

/// Where a library lies or would be installed: in the first site directory, or where conda put it.
/// Empty if that is not known.
std::string Simulation::placeOf(const TargetLibrary &row) const {
  const TargetLibrary *there = installed->find(row.soname);
  if (there && there->folder.empty() && !there->path.empty())
    return keyOf(there->path);
  if (row.folder.empty() || installed->sitePackages.empty())
    return {};
  return simulator.disk.plain(
      joinPath(installed->sitePackages.front(), joinPath(row.folder, row.soname)));
}

/// The path at which the loader finds the file; paths of rows have all links resolved.
std::string Simulation::keyOf(const std::string &path) const {
  auto found = snapshot.places.find(path);
  return simulator.disk.plain(found == snapshot.places.end() ? path : found->second);
}

/// Adds the library, in place of the one of that name.
void Simulation::put(TargetLibrary row) {
  row.path = placeOf(row);
  if (row.path.empty())
    return;
  llvm::erase_if(installed->libraries, [&](const TargetLibrary &each) {
    if (each.soname != row.soname)
      return false;
    tree.remove(keyOf(each.path));
    return true;
  });
  if (simulator.packages.placeOf(row.soname).empty())
    added.push_back({row.soname, row.path, row.folder, row.dist, row.version.str(), "", false});
  std::string doubt;
  process::ChangedTree::Library library;
  library.facts = process::factsOf(row, subject.facts.machine, doubt);
  library.major = row.cuda.known() ? row.cuda.major : installed->line.major;
  library.row = row;
  tree.put(std::move(library));
  installed->libraries.push_back(std::move(row));
}

void Simulation::changeTorch() {
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + change.torch, {Origin::Kind::Option, "doctor"}});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, nullptr));
  if (!target)
    return;
  for (const TargetLibrary &each : installed->libraries)
    tree.remove(keyOf(each.path));
  // Libraries that the wheels of the other major leave behind do not interfere.
  installed->libraries.clear();
  installed->line = target->line;
  installed->torch = change.torch;
  for (TargetLibrary &row : target->libraries)
    put(std::move(row));
}

void Simulation::applyChange() {
  libraryPath = change.libraryPath ? *change.libraryPath : snapshot.report.libraryPath;
  if (change.before)
    before = *change.before;
  installed = snapshot.installed;
  if (installed && !change.torch.empty())
    changeTorch();
  // The change installs the first CUDA wheels of the environment.
  if (!installed && !change.wheels.empty() && !snapshot.environment.sitePackages.empty()) {
    installed.emplace();
    installed->sitePackages = snapshot.environment.sitePackages;
  }
  for (const auto &[dist, text] : change.wheels) {
    auto version = Version::parse(text);
    if (!version || !installed)
      continue;
    if (!installed->line.known())
      installed->line = tables::lineOf(dist, *version);
    for (llvm::StringRef soname : tables::sonamesOf(dist, *version)) {
      TargetLibrary row;
      row.soname = soname.str();
      row.dist = dist;
      row.version = *version;
      row.cuda = tables::lineOf(dist, *version);
      row.folder = tables::folderOf(soname, dist, *version).str();
      row.origin = "would be installed";
      put(std::move(row));
    }
  }
  facts = subject.facts;
  if (change.relinked)
    facts = policy::relinked(facts, change);
  if (change.toolkit.known())
    facts = policy::rebuilt(facts, change.toolkit, *installed);
  if (change.relinked || change.toolkit.known())
    tree.relink(simulator.disk.plain(support::absolute(subject.path, simulator.disk.files)), facts,
                change.relinked, change.renamed);
}

/// Limit on the files of a package that NEED one of its libraries, directly or indirectly.
static constexpr size_t mostSiblings = 256;

const policy::Preloading &Simulation::preloading(llvm::StringRef path) {
  if (added.empty())
    return simulator.packages.preloading(path);
  auto it = preloadings.find(path);
  if (it == preloadings.end())
    it = preloadings.emplace(path.str(), simulator.packages.preloadingWith(path, added)).first;
  return it->second;
}

/// A file that cannot be opened is no error yet: the file itself may not need it.
void Simulation::openFirst(Process &process, llvm::ArrayRef<policy::Preloaded> files) {
  for (const policy::Preloaded &each : files) {
    Process::Outcome result = openOne(process, {each.path, each.isGlobal, each.package});
    if (!result.ok())
      notPreloaded.insert_or_assign(nameOf(each.path).str(), std::move(result));
  }
}

/// The failure of a library that a package opened first, if that is why the file fails: the process
/// ended, or the file lacks a library of which the environment's copy is damaged.
const process::Process::Outcome *
Simulation::failureBefore(const Process::Outcome &result,
                          llvm::ArrayRef<policy::Preloaded> first) const {
  for (const policy::Preloaded &each : first)
    if (auto it = notPreloaded.find(nameOf(each.path).str());
        it != notPreloaded.end() && it->second.load.endsProcess)
      return &it->second;
  auto it = result.ok() ? notPreloaded.end() : notPreloaded.find(result.load.missing);
  return it != notPreloaded.end() && policy::fileFailure(it->second.load) ? &it->second : nullptr;
}

/// Opens the file after the files that its package opens first.
process::Process::Outcome Simulation::openAsPackage(Process &process, const PreloadedFile &file) {
  const policy::Preloading &preloading = this->preloading(file.path);
  openFirst(process, preloading.first);
  Process::Outcome result = openOne(process, file);
  if (!result.ok() && !preloading.fallback.empty()) {
    openFirst(process, preloading.fallback);
    result = openOne(process, file);
  }
  if (const Process::Outcome *before = failureBefore(result, preloading.first))
    return *before;
  return result;
}

/// Opens what the file itself opens when it is used, if it finds all of it.
void Simulation::useFound(Process &now, const policy::UsedLibrary &used) {
  std::vector<std::string> paths;
  for (const std::string &name : used.names) {
    LoadResult found = now.find(name, subject.path);
    if (!found.ok() || found.steps.empty())
      return;
    paths.push_back(found.steps.front().path);
  }
  for (const std::string &path : paths)
    openOne(now, {path, false, used.package});
}

/// Opens what the package's code opens when it is used.
void Simulation::use(Process &now) {
  for (const policy::UsedLibrary &each : preloading(subject.path).used)
    if (each.isSearched)
      useFound(now, each);
    else if (llvm::none_of(each.names, [&](const std::string &name) {
               return openOne(now, {name, false, each.package}).ok();
             }))
      outcome.load.notOpened.push_back({each.library, each.package, each.raises});
}

/// A library that only files of its own package NEED is loaded with these: numpy's OpenBLAS finds
/// its Fortran library by the search path of numpy's modules. Returns whether that succeeds.
bool Simulation::openBySiblings(Process &process) {
  auto namesOf = [](llvm::StringRef path, const BinaryFacts *facts) {
    std::vector<std::string> names{nameOf(path).str()};
    if (facts && !facts->soname.empty())
      names.push_back(facts->soname);
    return names;
  };
  std::vector<std::string> wanted = namesOf(subject.path, &subject.facts);
  std::vector<std::string> siblings = simulator.packages.siblings(subject.path), leading;
  // Collect files that NEED it, directly or indirectly.
  for (bool isNew = true; isNew && leading.size() < mostSiblings;) {
    isNew = false;
    for (const std::string &path : siblings) {
      if (llvm::is_contained(leading, path))
        continue;
      const BinaryFacts *other = simulator.disk.open(path, subject.facts.machine).facts;
      if (!other || llvm::none_of(other->needed, [&](const std::string &name) {
            return llvm::is_contained(wanted, name);
          }))
        continue;
      llvm::append_range(wanted, namesOf(path, other));
      leading.push_back(path);
      isNew = true;
    }
  }
  for (const std::string &path : siblings) {
    if (!llvm::is_contained(leading, path) ||
        !openAsPackage(process, {path, false, nameOf(path).str()}).ok())
      continue;
    Process::Outcome now = openOne(process, {subject.path, false, ""});
    if (!now.ok())
      continue;
    outcome = std::move(now);
    return true;
  }
  return false;
}

/// A library that the package opens itself is no reason to reject, since only running its code
/// shows whether it is found. But if it is known what that code opens, it is known why it fails.
void Simulation::addOpener(const Process &now, std::vector<Finding> &findings) {
  std::string library = outcome.load.missing, words = outcome.load.failure;
  // The library may also have been found, if the environment has another copy which that code may
  // open, and it is not known when.
  if (library.empty() && outcome.binding) {
    library = policy::blamed(process);
    words = outcome.binding->words;
    const TargetLibrary *taken = target.find(library);
    std::string other = simulator.packages.placeOf(library);
    const policy::Preloading &preloading = this->preloading(subject.path);
    if (other.empty() || !taken || tree.real(taken->path) == tree.real(other) ||
        preloading.isKnown(library))
      return;
  }
  auto isAboutIt = [&](const Finding &each) { return policy::isForWantOf(each, library); };
  if (library.empty() || facts.kind == BinaryKind::Executable || llvm::none_of(findings, isAboutIt))
    return;
  if (auto it = notPreloaded.find(library); it != notPreloaded.end()) {
    const Process::Outcome &failed = it->second;
    std::string because = failed.binding ? failed.binding->words : failed.load.failure;
    for (Finding &each : findings)
      if (isAboutIt(each) && because != words)
        each.addFact("opened first", because);
    return;
  }
  // Whether a file without a search path finds a library of that name.
  bool byName = outcome.load.missing.empty() || now.find(library, "").ok();
  std::vector<std::string> lacks;
  for (const std::string &name : facts.needed)
    if (!outcome.load.missing.empty() && !now.find(name, subject.path).ok())
      lacks.push_back(name);
  auto finding = simulator.packages.opensItself(subject.path, subject.isMember ? "" : subject.name,
                                                library, words, lacks, byName);
  if (!finding)
    return;
  llvm::erase_if(findings, isAboutIt);
  findings.insert(findings.begin(), std::move(*finding));
}

} // namespace cudacc::commands
