// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include "driver/commands/Declaration.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/pipeline/Environments.h"
#include "driver/policy/advice/Installer.h"
#include "driver/probe/host/Driver.h"
#include "driver/probe/python/Modules.h"
#include "driver/probe/python/Pip.h"
#include "driver/process/Process.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

namespace cudacc::commands {

using namespace core;
using namespace support;
using namespace versions;
using support::joinPath;
using support::nameOf;
using support::parentOf;

static bool isFile(pipeline::System &system, const std::string &path) {
  return system.files.stat(path).kind == FileStatus::Kind::Regular;
}

/// The prefix above `lib/python3.11/site-packages`; a site-packages folder elsewhere is its own
/// prefix. Empty if the file lies in none.
static std::string prefixAbove(llvm::StringRef file) {
  for (llvm::StringRef folder = parentOf(file); folder.size() > 1; folder = parentOf(folder)) {
    if (nameOf(folder) != "site-packages" && nameOf(folder) != "dist-packages")
      continue;
    llvm::StringRef python = parentOf(folder), lib = parentOf(python);
    bool isUsual = nameOf(python).starts_with("python3") && nameOf(lib).starts_with("lib");
    return isUsual ? parentOf(lib).str() : folder.str();
  }
  return {};
}

static llvm::Error read(pipeline::System &system, std::string prefix, std::string why, bool isNamed,
                        EnvironmentSnapshot &snapshot) {
  cache::Store store(system.environment, system.files, system.uid);
  auto environment = pipeline::readEnvironment(system, store, prefix);
  if (!environment) {
    if (isNamed)
      return environment.takeError();
    snapshot.report.problems.push_back(toFinding(environment.takeError()));
    return llvm::Error::success();
  }
  snapshot.environment = std::move(*environment);
  snapshot.report.prefix = std::move(prefix);
  snapshot.report.why = std::move(why);
  return llvm::Error::success();
}

static llvm::Error findEnvironment(pipeline::System &system,
                                   const std::optional<std::string> &named, llvm::StringRef file,
                                   EnvironmentSnapshot &snapshot) {
  if (named) {
    std::string path = support::expandHome(*named, system.environment.getOr("HOME"));
    path = support::normalizePath(support::absolute(path, system.files), system.files);
    return read(system, std::move(path), "--env", true, snapshot);
  }
  if (std::string prefix = prefixAbove(file); !prefix.empty())
    return read(system, std::move(prefix), "the file's place", false, snapshot);
  bool isActive = !system.environment.getOr("VIRTUAL_ENV").empty() ||
                  !system.environment.getOr("CONDA_PREFIX").empty();
  if (!isActive)
    return llvm::Error::success();
  auto active = config::activeEnvironment(system.environment, system.files);
  if (!active) {
    snapshot.report.problems.push_back(toFinding(active.takeError()));
    return llvm::Error::success();
  }
  bool isVenv = !system.environment.getOr("VIRTUAL_ENV").empty();
  return read(system, std::move(*active), isVenv ? "VIRTUAL_ENV" : "CONDA_PREFIX", false, snapshot);
}

static void findTarget(pipeline::System &system, EnvironmentSnapshot &snapshot) {
  if (snapshot.environment.torch)
    snapshot.report.torch = snapshot.environment.torch->version;
  if (snapshot.report.prefix.empty())
    return;
  if (!resolve::hasCuda(snapshot.environment)) {
    llvm::append_range(snapshot.report.problems, snapshot.environment.problems);
    return;
  }
  Declaration declaration;
  declaration.runtime.push_back(
      {"env:" + snapshot.report.prefix, {Origin::Kind::Option, snapshot.report.why}});
  auto target = resolveOnce(system, declaration);
  if (!target) {
    Finding error = toFinding(target.takeError());
    // The error repeats what is known of its library.
    llvm::copy_if(snapshot.environment.problems, std::back_inserter(snapshot.report.problems),
                  [&](const Finding &each) { return each.library != error.library; });
    snapshot.report.problems.push_back(std::move(error));
    return;
  }
  for (TargetLibrary &library : target->libraries) {
    std::string real = system.files.realPath(library.path).value_or(library.path);
    snapshot.places[real] = library.path;
    library.path = std::move(real);
  }
  snapshot.report.line = target->line;
  snapshot.report.problems = target->problems;
  snapshot.installed = std::move(*target);
}

static void findPython(pipeline::System &system, process::DiskTree &disk,
                       EnvironmentSnapshot &snapshot) {
  std::vector<std::string> places;
  if (!snapshot.report.prefix.empty())
    places.push_back(joinPath(snapshot.report.prefix, "bin"));
  for (llvm::StringRef folder : programFolders(system.environment))
    places.push_back(support::absolute(folder, system.files));
  for (const std::string &folder : places)
    for (const char *name : {"python3", "python"}) {
      std::string path = joinPath(folder, name);
      if (folder.empty() || !isFile(system, path))
        continue;
      std::string real = system.files.realPath(path).value_or(path);
      // If it is a script, only running it would show which Python it starts.
      if (!disk.program(real))
        continue;
      snapshot.report.python = path;
      if (nameOf(real).starts_with("python3."))
        snapshot.pythonName = nameOf(real).str();
      return;
    }
}

/// Determines the commands that install into that environment, whichever is active, and has the
/// fixes so far name them.
static void findPip(pipeline::System &system, EnvironmentSnapshot &snapshot) {
  const std::string &prefix = snapshot.report.prefix;
  if (prefix.empty())
    return;
  if (system.files.stat(joinPath(prefix, "conda-meta")).exists())
    snapshot.conda = "conda install -p " + shellWord(prefix);
  snapshot.pip = probe::pipInstall(prefix, snapshot.environment.sitePackages, system.files);
  policy::nameInstaller(snapshot.pip, snapshot.report.problems);
}

static void findDriver(pipeline::System &system, process::DiskTree &disk,
                       EnvironmentSnapshot &snapshot) {
  process::Process process(disk, llvm::ELF::EM_X86_64, system.files.workingDirectory());
  process.surround(snapshot.report.libraryPath, {});
  LoadResult load = process.find("libcuda.so.1", "");
  snapshot.report.driver = probe::readDriver(
      load.ok() && !load.steps.empty() ? load.steps.front().path : "", system.files);
  probe::RunningDriver &driver = snapshot.report.driver;
  if (auto version = Version::parse(driver.release))
    if (auto cuda = tables::cudaOfDriver(*version))
      driver.cuda = cuda->cuda;
}

/// As for `python -c` and `python -m`. A script has its own folder in place of the working
/// directory.
static void findPythonPath(pipeline::System &system, EnvironmentSnapshot &snapshot) {
  if (system.environment.getOr("PYTHONSAFEPATH").empty())
    snapshot.pythonPath.push_back(system.files.workingDirectory());
  llvm::StringRef value = system.environment.getOr("PYTHONPATH");
  if (!value.empty())
    for (llvm::StringRef folder : llvm::split(value, ':'))
      snapshot.pythonPath.push_back(support::absolute(folder.empty() ? "." : folder, system.files));
}

std::vector<std::string> EnvironmentSnapshot::modulePath() const {
  std::vector<std::string> path = pythonPath;
  path.insert(path.end(), environment.sitePackages.begin(), environment.sitePackages.end());
  return path;
}

static void findSurroundings(pipeline::System &system, EnvironmentSnapshot &snapshot) {
  snapshot.report.libraryPath =
      loader::libraryPath(system.environment.get("LD_LIBRARY_PATH").value_or(""));
  for (llvm::StringRef each : llvm::split(system.environment.get("LD_PRELOAD").value_or(""), ':'))
    for (llvm::StringRef name : llvm::split(each, ' '))
      if (!name.empty())
        snapshot.preload.push_back(name.str());
  snapshot.bindNow = !system.environment.getOr("LD_BIND_NOW").empty();
}

static void findCopies(const EnvironmentSnapshot &snapshot, LibraryInventory &inventory) {
  inventory.addEnvironment(snapshot.environment);
  inventory.addLibraryPath(snapshot.report.libraryPath);
  inventory.addCache();
}

llvm::Expected<EnvironmentSnapshot>
findSnapshot(pipeline::System &system, const std::optional<std::string> &named, bool asHere,
             llvm::StringRef file, process::DiskTree &disk, LibraryInventory &inventory) {
  EnvironmentSnapshot snapshot;
  if (llvm::Error error = findEnvironment(system, named, file, snapshot))
    return error;
  findPythonPath(system, snapshot);
  findSurroundings(system, snapshot);
  findTarget(system, snapshot);
  // Without an environment, what this machine has is the runtime.
  snapshot.isCleanMachine = snapshot.installed && !asHere;
  findPython(system, disk, snapshot);
  findPip(system, snapshot);
  findCopies(snapshot, inventory);
  findDriver(system, disk, snapshot);
  return snapshot;
}

llvm::Expected<EnvironmentSnapshot> snapshotOf(pipeline::System &system, const std::string &prefix,
                                               const Target &target, bool asHere,
                                               std::map<std::string, std::string> places,
                                               process::DiskTree &disk,
                                               LibraryInventory &inventory) {
  EnvironmentSnapshot snapshot;
  if (llvm::Error error = read(system, prefix, "--runtime", true, snapshot))
    return error;
  findPythonPath(system, snapshot);
  findSurroundings(system, snapshot);
  if (snapshot.environment.torch)
    snapshot.report.torch = snapshot.environment.torch->version;
  snapshot.report.line = target.line;
  if (target.line.known())
    snapshot.installed = target;
  snapshot.places = std::move(places);
  snapshot.hasAnyDriver = true;
  snapshot.isCleanMachine = !asHere;
  findPython(system, disk, snapshot);
  findPip(system, snapshot);
  findCopies(snapshot, inventory);
  return snapshot;
}

std::vector<PreloadedFile> filesOf(pipeline::System &system, const EnvironmentSnapshot &snapshot,
                                   llvm::StringRef name) {
  std::vector<PreloadedFile> files;
  auto add = [&](std::string path, bool isGlobal) {
    if (system.files.stat(path).kind == FileStatus::Kind::Regular)
      files.push_back({std::move(path), isGlobal, name.str()});
  };
  if (name == "torch") {
    // As in torch/__init__.py: the first with RTLD_GLOBAL, then what torch._C NEEDs.
    for (const std::string &site : snapshot.modulePath()) {
      std::string folder = joinPath(site, tables::torchFolder);
      add(joinPath(folder, "libtorch_global_deps.so"), true);
      add(joinPath(folder, "libtorch_python.so"), false);
      if (!files.empty())
        return files;
    }
    return files;
  }
  if (!probe::isModuleName(name)) {
    add(support::absolute(name, system.files), false);
    return files;
  }
  std::vector<std::string> path = snapshot.modulePath();
  probe::FoundModule found = probe::findModule(path, name, snapshot.pythonName, system.files);
  if (!found.path.empty())
    add(std::move(found.path), false);
  else
    for (std::string &each : probe::modulesIn(path, name, snapshot.pythonName, system.files))
      add(std::move(each), false);
  return files;
}

} // namespace cudacc::commands
