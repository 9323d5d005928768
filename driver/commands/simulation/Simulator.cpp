// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Disputes.h"
#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include "driver/commands/simulation/Simulation.h"
#include "driver/policy/advice/Installer.h"
#include "driver/resolve/InstalledCuda.h"
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

} // namespace cudacc::commands
