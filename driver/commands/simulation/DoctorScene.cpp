#include "driver/commands/simulation/DoctorScene.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Environments.h"
#include "driver/policy/remedies/Remedies.h"
#include "driver/probe/host/Driver.h"
#include "driver/probe/python/Environment.h"
#include "driver/probe/python/Modules.h"
#include "driver/resolve/ResolveEnvironment.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

namespace cudacc::commands {

using namespace core;
using namespace support;
using namespace versions;
using support::joinPath;
using support::nameOf;
using support::parentOf;

namespace {

class Finder {
public:
  Finder(pipeline::System &system, const Arguments &arguments, Shelf &shelf, Copies &copies)
      : system(system), arguments(arguments), shelf(shelf), copies(copies) {}
  llvm::Expected<Scene> find(llvm::StringRef file);
  llvm::Expected<Scene> of(const std::string &prefix, const Target &target,
                           std::map<std::string, std::string> places);

private:
  pipeline::System &system;
  const Arguments &arguments;
  Shelf &shelf;
  Copies &copies;
  Scene scene;

  llvm::Error findEnvironment(llvm::StringRef file);
  llvm::Error read(std::string prefix, std::string why, bool isNamed);
  void findTarget();
  void findSurroundings();
  void findCopies();
  void findPythonPath();
  void findPython();
  void findPip();
  void findDriver();
  bool isFile(const std::string &path) {
    return system.files.stat(path).kind == FileStatus::Kind::Regular;
  }
};

} // namespace

/// The prefix above `lib/python3.11/site-packages`; of another folder of that name, itself.
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

llvm::Error Finder::read(std::string prefix, std::string why, bool isNamed) {
  cache::Store store(system.environment, system.files, system.uid);
  auto environment = pipeline::readEnvironment(system, store, prefix);
  if (!environment) {
    if (isNamed)
      return environment.takeError();
    scene.report.problems.push_back(takeFinding(environment.takeError()));
    return llvm::Error::success();
  }
  scene.environment = std::move(*environment);
  scene.report.prefix = std::move(prefix);
  scene.report.why = std::move(why);
  return llvm::Error::success();
}

llvm::Error Finder::findEnvironment(llvm::StringRef file) {
  if (arguments.environment)
    return read(
        support::tidy(support::absolute(support::expandHome(*arguments.environment,
                                                            system.environment.getOr("HOME")),
                                        system.files),
                      system.files),
        "--env", true);
  if (std::string prefix = prefixAbove(file); !prefix.empty())
    return read(std::move(prefix), "the file's place", false);
  bool isActive = !system.environment.getOr("VIRTUAL_ENV").empty() ||
                  !system.environment.getOr("CONDA_PREFIX").empty();
  if (!isActive)
    return llvm::Error::success();
  auto active = config::activeEnvironment(system.environment, system.files);
  if (!active) {
    scene.report.problems.push_back(takeFinding(active.takeError()));
    return llvm::Error::success();
  }
  bool isVenv = !system.environment.getOr("VIRTUAL_ENV").empty();
  return read(std::move(*active), isVenv ? "VIRTUAL_ENV" : "CONDA_PREFIX", false);
}

void Finder::findTarget() {
  if (scene.environment.torch)
    scene.report.torch = scene.environment.torch->version;
  if (scene.report.prefix.empty() || !resolve::hasCuda(scene.environment))
    return;
  Declaration declaration;
  declaration.runtime.push_back(
      {"env:" + scene.report.prefix, {Origin::Kind::Option, scene.report.why}});
  cache::Store store(system.environment, system.files, system.uid);
  auto target = pipeline::resolveDeclaration(system, store, declaration);
  if (!target) {
    scene.report.problems.push_back(takeFinding(target.takeError()));
    return;
  }
  for (TargetLibrary &library : target->libraries) {
    std::string real = system.files.realPath(library.path).value_or(library.path);
    scene.places[real] = library.path;
    library.path = std::move(real);
  }
  scene.report.line = target->line;
  scene.report.problems = target->problems;
  scene.installed = std::move(*target);
}

void Finder::findPython() {
  std::vector<std::string> places;
  if (!scene.report.prefix.empty())
    places.push_back(joinPath(scene.report.prefix, "bin"));
  for (llvm::StringRef folder : programFolders(system.environment))
    places.push_back(support::absolute(folder, system.files));
  for (const std::string &folder : places)
    for (const char *name : {"python3", "python"}) {
      std::string path = joinPath(folder, name);
      if (folder.empty() || !isFile(path))
        continue;
      std::string real = system.files.realPath(path).value_or(path);
      // Scripts stand for a Python that only running them would tell.
      if (!shelf.program(real))
        continue;
      scene.report.python = path;
      if (nameOf(real).starts_with("python3."))
        scene.pythonName = nameOf(real).str();
      return;
    }
}

/// The command that installs into that environment, whatever is active.
void Finder::findPip() {
  const std::string &prefix = scene.report.prefix;
  if (prefix.empty())
    return;
  if (system.files.stat(joinPath(prefix, "conda-meta")).exists())
    scene.conda = "conda install -p " + shellWord(prefix);
  std::string python = joinPath(prefix, "bin/python");
  if (!isFile(python)) {
    scene.pip = "pip install --target=" + shellWord(prefix);
    return;
  }
  bool hasPip = llvm::any_of(scene.environment.sitePackages, [&](const std::string &site) {
    return system.files.stat(joinPath(site, "pip")).exists();
  });
  bool isActive = system.environment.getOr("VIRTUAL_ENV") == prefix ||
                  system.environment.getOr("CONDA_PREFIX") == prefix;
  auto settings = system.files.read(joinPath(prefix, "pyvenv.cfg"), 64 << 10);
  bool isUv = settings && llvm::StringRef("\n" + *settings).contains("\nuv = ");
  if (!settings)
    llvm::consumeError(settings.takeError());
  if (hasPip)
    scene.pip = isActive ? "pip install" : shellWord(python) + " -m pip install";
  else if (isUv)
    scene.pip =
        isActive ? "uv pip install" : "VIRTUAL_ENV=" + shellWord(prefix) + " uv pip install";
  else
    scene.pip = "pip --python " + shellWord(python) + " install";
}

void Finder::findDriver() {
  Overlay none;
  Process process(shelf, none, llvm::ELF::EM_X86_64);
  process.surround(scene.report.libraryPath, {});
  LoadResult load = process.find("libcuda.so.1", "");
  scene.report.driver = probe::readDriver(
      load.ok() && !load.steps.empty() ? load.steps.front().path : "", system.files);
  probe::RunningDriver &driver = scene.report.driver;
  if (auto version = Version::parse(driver.release))
    if (auto cuda = tables::cudaOfDriver(*version))
      driver.cuda = cuda->cuda;
}

/// As `python -c` and `python -m` have it; a script has its own folder in the place of the working
/// directory.
void Finder::findPythonPath() {
  if (system.environment.getOr("PYTHONSAFEPATH").empty())
    scene.pythonPath.push_back(system.files.workingDirectory());
  llvm::StringRef value = system.environment.getOr("PYTHONPATH");
  if (!value.empty())
    for (llvm::StringRef folder : llvm::split(value, ':'))
      scene.pythonPath.push_back(support::absolute(folder.empty() ? "." : folder, system.files));
}

std::vector<std::string> Scene::modulePath() const {
  std::vector<std::string> path = pythonPath;
  path.insert(path.end(), environment.sitePackages.begin(), environment.sitePackages.end());
  return path;
}

llvm::Expected<Scene> Finder::find(llvm::StringRef file) {
  if (llvm::Error error = findEnvironment(file))
    return error;
  findPythonPath();
  findSurroundings();
  findTarget();
  findPython();
  findPip();
  findCopies();
  findDriver();
  return std::move(scene);
}

void Finder::findSurroundings() {
  scene.report.libraryPath =
      loader::libraryPath(system.environment.get("LD_LIBRARY_PATH").value_or(""));
  for (llvm::StringRef each : llvm::split(system.environment.get("LD_PRELOAD").value_or(""), ':'))
    for (llvm::StringRef name : llvm::split(each, ' '))
      if (!name.empty())
        scene.preload.push_back(name.str());
  scene.bindNow = !system.environment.getOr("LD_BIND_NOW").empty();
}

void Finder::findCopies() {
  copies.addEnvironment(scene.environment);
  copies.addLibraryPath(scene.report.libraryPath);
  copies.addCache();
}

llvm::Expected<Scene> Finder::of(const std::string &prefix, const Target &target,
                                 std::map<std::string, std::string> places) {
  if (llvm::Error error = read(prefix, "--runtime", true))
    return error;
  findPythonPath();
  findSurroundings();
  if (scene.environment.torch)
    scene.report.torch = scene.environment.torch->version;
  scene.report.line = target.line;
  if (target.line.known())
    scene.installed = target;
  scene.places = std::move(places);
  scene.assumesDriver = true;
  findPython();
  findPip();
  findCopies();
  return std::move(scene);
}

llvm::Expected<Scene> findScene(pipeline::System &system, const Arguments &arguments,
                                llvm::StringRef file, Shelf &shelf, Copies &copies) {
  return Finder(system, arguments, shelf, copies).find(file);
}

llvm::Expected<Scene> sceneOf(pipeline::System &system, const std::string &prefix,
                              const Target &target, std::map<std::string, std::string> places,
                              Shelf &shelf, Copies &copies) {
  return Finder(system, Arguments(), shelf, copies).of(prefix, target, std::move(places));
}

std::vector<Opened> filesOf(pipeline::System &system, const Scene &scene, llvm::StringRef name) {
  std::vector<Opened> files;
  auto add = [&](std::string path, bool isGlobal) {
    if (system.files.stat(path).kind == FileStatus::Kind::Regular)
      files.push_back({std::move(path), isGlobal, name.str()});
  };
  if (name == "torch") {
    // As torch/__init__.py does it: the first for everybody, then what torch._C NEEDs.
    for (const std::string &site : scene.modulePath()) {
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
  std::vector<std::string> path = scene.modulePath();
  probe::FoundModule found = probe::findModule(path, name, scene.pythonName, system.files);
  if (!found.path.empty())
    add(std::move(found.path), false);
  else
    for (std::string &each : probe::modulesIn(path, name, scene.pythonName, system.files))
      add(std::move(each), false);
  return files;
}

} // namespace cudacc::commands
