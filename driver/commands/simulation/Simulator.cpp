// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Disputes.h"
#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include "driver/commands/simulation/Simulation.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/JudgeFile.h"
#include "driver/policy/advice/Installer.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/probe/python/Record.h"
#include "driver/process/TableTree.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using namespace versions;

/// Limits on the files and folders of a package that are examined.
static constexpr size_t mostFiles = 4096, mostFolders = 4096;

/// The folder of the package that contains a file: `site/torch`, `site/nvidia/nvshmem`. Empty if
/// the file lies in no site-packages, or directly in one.
std::string OnDemand::packageFolder(llvm::StringRef path) const {
  std::vector<std::string> sites = snapshot.environment.sitePackages;
  for (const std::string &site : snapshot.environment.sitePackages)
    sites.push_back(disk.real(site));
  for (const std::string &site : sites) {
    llvm::StringRef below = support::pathBelow(path, site);
    if (below.empty())
      continue;
    auto [first, rest] = below.split('/');
    if (rest.empty())
      return {};
    std::string folder = support::joinPath(site, first);
    auto [second, more] = rest.split('/');
    return first == "nvidia" && !more.empty() ? support::joinPath(folder, second) : folder;
  }
  return {};
}

/// Paths of files that may be libraries; std::nullopt if a folder cannot be read, or there are too
/// many.
static std::optional<std::vector<std::string>> librariesBelow(Files &files, std::string top) {
  std::vector<std::string> found, folders{std::move(top)};
  for (size_t i = 0; i != folders.size(); ++i) {
    auto names = llvm::expectedToOptional(files.readDirectory(folders[i]));
    if (!names)
      return std::nullopt;
    for (const std::string &name : *names) {
      std::string path = support::joinPath(folders[i], name);
      FileStatus status = files.stat(path);
      bool isLink = files.readLink(path).has_value();
      if (status.kind == FileStatus::Kind::Directory && !isLink)
        folders.push_back(std::move(path));
      else if (status.kind == FileStatus::Kind::Regular && llvm::StringRef(name).contains(".so"))
        found.push_back(std::move(path));
    }
    if (found.size() > mostFiles || folders.size() > mostFolders)
      return std::nullopt;
  }
  return found;
}

static bool isExtensionModule(process::DiskTree &disk, llvm::StringRef path) {
  llvm::StringRef name = support::nameOf(path);
  if (name.contains(".cpython-") || name.contains(".abi3.so") || name.contains(".pypy3"))
    return true;
  std::string start = fmt::format("PyInit_{}", name.take_until([](char c) { return c == '.'; }));
  return disk.exported(path, start, "") != Exported::No;
}

std::optional<OnDemand::Needers> OnDemand::read(const std::string &folder, uint16_t machine) const {
  auto paths = librariesBelow(disk.files, folder);
  if (!paths)
    return std::nullopt;
  Needers needers;
  for (const std::string &path : *paths)
    if (const BinaryFacts *facts = disk.open(path, machine).facts)
      for (const std::string &name : facts->needed)
        needers[name].insert(path);
  return needers;
}

bool OnDemand::has(const ExaminedFile &subject) {
  std::string folder = packageFolder(subject.path);
  if (folder.empty() || subject.facts.kind != BinaryKind::SharedObject ||
      isExtensionModule(disk, subject.path))
    return false;
  auto [package, isNew] = packages.try_emplace({folder, subject.facts.machine});
  if (isNew)
    package->second = read(folder, subject.facts.machine);
  const std::optional<Needers> &needers = package->second;
  auto isNeededAs = [&](llvm::StringRef name) {
    auto of = needers->find(name);
    return of != needers->end() && of->second.size() > of->second.count(subject.path);
  };
  return needers && !isNeededAs(support::nameOf(subject.path)) && !isNeededAs(subject.facts.soname);
}

unsigned majorOf(const EnvironmentSnapshot &snapshot) {
  CudaVersion torch = resolve::lineOfTorch(snapshot.environment);
  return torch.known() ? torch.major : snapshot.report.line.major;
}

Outcome outcomeOf(const Diagnosis &diagnosis) {
  Verdict verdict;
  for (const Finding &finding : diagnosis.judgement.verdict.findings)
    if (finding.code != Code::DriverAbsent)
      verdict.add(finding);
  return verdict.outcome();
}

/// Python's version from the name of its program: `3.11`; empty if the name has none.
static llvm::StringRef versionOf(llvm::StringRef python) {
  return python.consume_front("python") ? python : "";
}

probe::InstalledPackages installedIn(pipeline::System &system,
                                     const EnvironmentSnapshot &snapshot) {
  return {snapshot.environment.sitePackages, ownMachine().name.str(),
          versionOf(snapshot.pythonName).str(), system.files};
}

std::vector<std::string> beforeFor(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   const ExaminedFile &subject) {
  if (!snapshot.report.before.empty())
    return snapshot.report.before;
  bool needsTorch = llvm::any_of(subject.facts.needed, tables::isTorchLibrary);
  bool isTorchs = support::parentOf(subject.path).ends_with(tables::torchFolder) &&
                  tables::isTorchLibrary(support::nameOf(subject.path));
  if (needsTorch && !isTorchs && !filesOf(system, snapshot, "torch").empty())
    return {"torch"};
  return {};
}

Diagnosis Simulator::diagnose(const ExaminedFile &subject, llvm::ArrayRef<std::string> before,
                              bool withRemedies) {
  policy::Change none;
  std::vector<std::string> order = before.vec();
  // As users import it: after the frameworks that its metadata requires.
  if (snapshot.report.before.empty() && subject.facts.kind != BinaryKind::Executable)
    for (const std::string &name : packages.preloading(subject.path).frameworks)
      if (!llvm::is_contained(order, name) && !filesOf(system, snapshot, name).empty())
        order.push_back(name);
  Simulation simulation(*this, subject, order, none);
  simulation.run();
  Diagnosis diagnosis = simulation.diagnosis;
  if (withRemedies && outcomeOf(diagnosis) != Outcome::Accept)
    tryRemedies(simulation, subject, diagnosis);
  addCures(snapshot.installed ? snapshot.installed->problems : snapshot.environment.problems,
           diagnosis.judgement.verdict.findings);
  policy::nameInstaller(snapshot.pip, diagnosis.judgement.verdict.findings);
  return diagnosis;
}

static bool lacksDriver(const Diagnosis &diagnosis) {
  return llvm::any_of(diagnosis.judgement.verdict.findings,
                      [](const Finding &each) { return each.code == Code::DriverAbsent; });
}

/// Whether the tables accept the file after another release of torch. A simulated process cannot
/// load torch's own libraries of that release: only their names are known.
bool Simulator::isAcceptedWith(const std::string &torch, const ExaminedFile &subject) {
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + torch, {Origin::Kind::Option, "doctor"}});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, nullptr));
  if (!target)
    return false;
  target->declared = true;
  target->declaredAs = declaration.runtime;
  target->enforce = Enforce::Symbols;
  process::TableTree tree(*target, subject.facts.machine, 0);
  policy::FileCase judged;
  judged.facts = &subject.facts;
  judged.target = &*target;
  judged.exports = &tree;
  judged.afterTorch = true;
  return policy::areAccepted(pipeline::judgeFile(system, torchTables, disk, judged,
                                                 pipeline::FilePlace(),
                                                 [] { return std::vector<FoundToolkit>(); }));
}

void Simulator::tryRemedies(Simulation &simulation, const ExaminedFile &subject,
                            Diagnosis &diagnosis) {
  policy::RemedyContext context;
  context.pip = snapshot.pip;
  context.conda = snapshot.conda;
  context.prefix = snapshot.report.prefix;
  context.name = subject.name;
  context.module = subject.module;
  if (!toolkits)
    toolkits = nearbyToolkits(system);
  std::vector<FoundToolkit> serving = *toolkits;
  llvm::erase_if(serving, [&](const FoundToolkit &each) {
    return !policy::buildsFor(each, subject.facts.machine);
  });
  context.toolkits = serving;
  context.claimed = snapshot.environment.distributions;
  auto ownerOf = [&](llvm::StringRef path) {
    auto recorded = disk.records().findIn(snapshot.environment.sitePackages, disk.plain(path));
    return recorded ? policy::Owner{recorded->dist, recorded->version} : policy::Owner();
  };
  auto besides = [&](llvm::StringRef folder, llvm::StringRef name) {
    return probe::besides(disk.plain(folder), name, system.files);
  };
  context.ownerOf = ownerOf;
  context.besides = besides;
  policy::advise(simulation.process, context, diagnosis.judgement.verdict.findings);
  // Torch's own files are those of the other release then.
  bool isTorchs = tables::isTorchLibrary(support::nameOf(subject.path));
  llvm::ArrayRef<std::string> before = simulation.process.before;
  bool isAfterTorch = !isTorchs && (policy::mayUseTorch(subject.facts) ||
                                    (before.size() == 1 && before.front() == "torch"));
  llvm::SmallVector<policy::Remedy::Kind, 8> found;
  for (policy::Remedy &remedy : policy::remediesFor(simulation.process, context)) {
    // Only the first of each kind that helps.
    if (llvm::is_contained(found, remedy.kind))
      continue;
    if (!remedy.change.torch.empty() && isAfterTorch) {
      if (!isAcceptedWith(remedy.change.torch, subject))
        continue;
      remedy.after = Outcome::Accept;
      found.push_back(remedy.kind);
      diagnosis.remedies.push_back(std::move(remedy));
      continue;
    }
    Simulation tried(*this, subject, simulation.process.before, remedy.change);
    tried.run();
    if (outcomeOf(tried.diagnosis) != Outcome::Accept)
      continue;
    bool lacks = lacksDriver(tried.diagnosis);
    remedy.after = lacks ? Outcome::Unknown : Outcome::Accept;
    if (lacks && !lacksDriver(diagnosis))
      remedy.price = "then nothing is left for libcuda.so.1: this machine has no driver";
    if (!remedy.hasOther)
      found.push_back(remedy.kind);
    diagnosis.remedies.push_back(std::move(remedy));
  }
}

} // namespace cudacc::commands
