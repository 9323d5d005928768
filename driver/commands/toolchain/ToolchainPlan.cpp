// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/toolchain/ToolchainPlan.h"
#include "driver/Version.h"
#include "driver/binary/elf/StubLibrary.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/toolchain/ToolchainCompilers.h"
#include "driver/commands/toolchain/ToolchainFiles.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/config/ConfigFile.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Environments.h"
#include "driver/pipeline/Found.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "driver/plan/toolchain/ToolkitTree.h"
#include "driver/plan/toolchain/UserCompiler.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/probe/lock/Lock.h"
#include "driver/probe/python/Environment.h"
#include "driver/probe/toolkit/FactsPackage.h"
#include "driver/probe/toolkit/Headers.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/probe/toolkit/ToolkitSources.h"
#include "driver/probe/toolkit/TorchTable.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/Marker.h"
#include "driver/versions/PlaceRequirement.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using RecordedInput = ToolchainDirectory::Input;

/// Makes a path independent of the HOME and the working directory of build steps.
static std::string fixedPath(pipeline::System &system, llvm::StringRef path) {
  std::string home = system.environment.getOr("HOME").str();
  return support::normalizePath(
      support::absolute(support::expandHome(path.trim(), home), system.files), system.files);
}

static llvm::Error fixRuntime(pipeline::System &system, std::string &requirement) {
  auto place = PlaceRequirement::parse(requirement);
  if (!place)
    return llvm::Error::success();
  if (!place->isActive) {
    requirement = place->at(fixedPath(system, place->path));
    return llvm::Error::success();
  }
  auto prefix = config::activeEnvironment(system.environment, system.files);
  if (!prefix)
    return prefix.takeError();
  requirement = place->at(*prefix);
  return llvm::Error::success();
}

static llvm::Error fixPlaces(pipeline::System &system, Declaration &declaration) {
  for (Setting<std::string> &each : declaration.runtime)
    if (llvm::Error error = fixRuntime(system, each.value))
      return error;
  std::vector<Setting<std::string> *> places = {&declaration.facts, &declaration.toolkit,
                                                &declaration.hostCompiler};
  if (!declaration.launcher.empty())
    places.push_back(&declaration.launcher.front());
  for (Setting<std::string> *each : places)
    if (llvm::StringRef(each->value).contains('/') || each->value == "~")
      each->value = fixedPath(system, each->value);
  return llvm::Error::success();
}

llvm::Expected<std::string> resolveDirectory(pipeline::System &system, cache::Store &store,
                                             ToolchainDirectory &directory) {
  directory.anonymous = false;
  directory.declarationFile = directory.declaration.file;
  if (llvm::Error error = pipeline::declarationDigest(system, directory.declarationFile)
                              .moveInto(directory.declarationDigest))
    return error;
  if (llvm::Error error = fixPlaces(system, directory.declaration))
    return error;
  auto toolkit = resolveNvcc(system, store, directory);
  if (!toolkit)
    return toolkit.takeError();
  const Toolkit *known = *toolkit ? &**toolkit : nullptr;
  if (llvm::Error error = resolveCompilers(system, store, known, directory))
    return error;
  return known ? known->foundBy : "";
}

std::string programIdentity(pipeline::System &system) {
  uint64_t size = system.files.stat(system.self).id.size;
  llvm::StringRef bin = support::parentOf(system.self);
  std::string facts = fmt::format("{}/{}", support::parentOf(bin), ToolchainDirectory::factsName);
  if (support::nameOf(bin) == "bin" && system.files.stat(facts).exists())
    size -= plan::trailerSize;
  return fmt::format("{} {}", cudacc::version, size);
}

/// The directory's toolkit as installed, before files from elsewhere are merged into it;
/// std::nullopt if it has no nvcc.
static llvm::Expected<std::optional<Toolkit>> readToolkit(pipeline::System &system,
                                                          cache::Store &store,
                                                          const ToolchainDirectory &directory,
                                                          llvm::StringRef foundBy) {
  if (directory.nvcc.empty())
    return std::nullopt;
  return pipeline::readToolkit(system, store, directory.nvcc, foundBy);
}

/// The declared environment; std::nullopt if there is none.
static llvm::Expected<std::optional<PythonEnvironment>>
readEnvironment(pipeline::System &system, cache::Store &store, const Declaration &declaration) {
  std::optional<PythonEnvironment> environment;
  for (const Setting<std::string> &each : declaration.runtime) {
    auto place = PlaceRequirement::parse(each.value);
    if (!place || place->kind != PlaceRequirement::Kind::Environment || place->isActive)
      continue;
    if (llvm::Error error =
            pipeline::readEnvironment(system, store, place->path.str()).moveInto(environment))
      return error;
  }
  return environment;
}

/// A fix that fetches a toolkit for any directory makes this one, with its other options.
static void nameDirectory(ToolchainDirectory directory, Verdict &verdict) {
  llvm::erase_if(directory.madeWith,
                 [](llvm::StringRef option) { return option.starts_with("--toolkit="); });
  for (Finding &finding : verdict.findings)
    for (std::string &fix : finding.fixes)
      if (size_t at = fix.find(" --fetch    # "); at != fix.npos)
        fix.replace(0, at, plan::remake(directory));
}

/// Judges the toolkit as it will be: the compiler of \p base, with the runtime's headers in front.
static llvm::Error judge(pipeline::System &system, cache::Store &store,
                         const std::optional<Toolkit> &base, ToolchainPlan &planned) {
  const ToolchainDirectory &directory = planned.directory;
  if (base) {
    if (llvm::Error error = probe::probeToolkit(directory.nvcc, base->foundBy, system.files,
                                                {"", planned.sources.include, &*base})
                                .moveInto(planned.toolkit))
      return error;
  }
  Invocation compile;
  compile.kind = CallKind::Compile;
  compile.sources = {"x.cu"};
  compile.cudaSources = 1;
  std::optional<HostCompiler> host = askHost(system, store, directory);
  const Toolkit *toolkit = planned.toolkit ? &*planned.toolkit : nullptr;
  probe::IncludePath path(compile, toolkit, host ? &*host : nullptr, system.environment,
                          system.files);
  auto headers = probe::findCudaHeaders(path);
  auto around = [&] { return nearbyToolkits(system); };
  auto findings = policy::judgeCompile(planned.target, toolkit, headers, around);
  planned.verdict.append(
      policy::applyOverrides(directory.declaration, {}, std::move(findings)).findings);
  auto more = pipeline::readUserTables(system, directory.declaration);
  if (!more)
    return more.takeError();
  llvm::StringRef machine = machineOf(directory).name;
  if (auto finding = policy::judgeTorch(directory.declaration, machine, *more ? &**more : nullptr))
    planned.verdict.add(std::move(*finding));
  nameDirectory(directory, planned.verdict);
  return llvm::Error::success();
}

static void addInput(pipeline::System &system, RecordedInput::Kind kind, FileId id,
                     ToolchainDirectory &directory) {
  // A folder changes with every installation beside the toolkit; its files are recorded one by one.
  bool isFile = system.files.stat(id.path).kind == FileStatus::Kind::Regular;
  if (kind == RecordedInput::Kind::Toolkit && !isFile)
    kind = RecordedInput::Kind::Environment;
  // The files of a container image have other numbers wherever it runs.
  if (kind != RecordedInput::Kind::Declaration)
    id.device = id.inode = 0;
  bool known = llvm::any_of(directory.inputs,
                            [&](const RecordedInput &each) { return each.id.path == id.path; });
  if (!known && id.path != system.self)
    directory.inputs.push_back({kind, std::move(id)});
}

/// The file that declares, that of a workspace above from which it inherits the runtime (F28), and
/// those between the two, which may declare another one later.
static std::vector<std::string> declarationFiles(Files &files,
                                                 const ToolchainDirectory &directory) {
  std::vector<std::string> paths;
  if (directory.declarationFile.empty())
    return paths;
  paths.push_back(directory.declarationFile);
  std::string above;
  for (const Setting<std::string> &runtime : directory.declaration.runtime)
    if (runtime.origin.kind == Origin::Kind::File)
      above = support::parentOf(support::absolute(runtime.origin.name, files)).str();
  llvm::StringRef folder = support::parentOf(directory.declarationFile);
  while (!above.empty() && folder != above && folder != "/") {
    folder = support::parentOf(folder);
    for (llvm::StringRef name : config::fileNames)
      if (std::string path = support::joinPath(folder, name); files.stat(path).exists())
        paths.push_back(std::move(path));
  }
  return paths;
}

static std::vector<FileId> locksOf(Files &files, const ToolchainDirectory &directory) {
  std::vector<FileId> inputs;
  MarkerEnvironment environment = MarkerEnvironment::linux(machineOf(directory).name);
  for (const Setting<std::string> &runtime : directory.declaration.runtime)
    if (auto place = PlaceRequirement::parse(runtime.value);
        place && place->kind == PlaceRequirement::Kind::Lock)
      if (auto lock = llvm::expectedToOptional(probe::readLock(place->path, environment, files)))
        llvm::append_range(inputs, lock->inputs);
  return inputs;
}

static void addInputs(pipeline::System &system, const std::optional<Toolkit> &base,
                      const std::optional<PythonEnvironment> &environment, ToolchainPlan &planned) {
  ToolchainDirectory &directory = planned.directory;
  auto add = [&](RecordedInput::Kind kind, FileId id) {
    addInput(system, kind, std::move(id), directory);
  };
  auto addFile = [&](RecordedInput::Kind kind, const std::string &path) {
    FileId id = system.files.stat(path).id;
    id.path = path;
    add(kind, std::move(id));
  };
  for (const std::string &path : declarationFiles(system.files, directory))
    addFile(RecordedInput::Kind::Declaration, path);
  for (FileId &id : locksOf(system.files, directory))
    add(RecordedInput::Kind::Environment, std::move(id));
  if (base) {
    addFile(RecordedInput::Kind::Compiler, base->driver);
    for (const FileId &id : base->inputs)
      add(RecordedInput::Kind::Toolkit, id);
    for (const FileId &id : planned.toolkit->inputs)
      add(RecordedInput::Kind::Toolkit, id);
  }
  if (environment)
    for (const FileId &id : environment->inputs)
      add(RecordedInput::Kind::Environment, id);
}

/// RP-3: wheels have no stub of libcuda, and a machine that builds need not have a driver.
static void addDriverStub(const ToolchainPlan &planned, std::vector<TreeEntry> &entries) {
  std::string stub = "lib64/stubs/libcuda.so";
  auto isDriver = [](const TreeEntry &entry) {
    return llvm::StringRef(entry.path).starts_with("lib64/libcuda.so");
  };
  auto isStub = [&](const TreeEntry &entry) { return entry.path == stub; };
  if (llvm::any_of(entries, isDriver))
    return;
  if (llvm::none_of(entries, isStub)) {
    auto table = tables::SymbolTable::find("libcuda.so.1", planned.target.line.major);
    if (!table || table->size() == 0)
      return;
    std::vector<std::string> names = table->names(table->size() - 1);
    std::vector<llvm::StringRef> functions(names.begin(), names.end());
    entries.push_back(
        {stub, binary::stubLibrary("libcuda.so.1", machineOf(planned.directory).elf, functions),
         TreeEntry::Kind::File});
  }
  entries.push_back({plan::neededDriver.str(), "../libcuda.so"});
}

/// Without cudart no link by nvcc would succeed, and the linker would only report that it skips the
/// incompatible one.
static llvm::Error noLibraries(const ToolchainDirectory &directory, const Toolkit &base) {
  const Machine &machine = machineOf(directory);
  std::string places;
  for (llvm::StringRef name : machine.targets)
    if (!name.empty())
      support::appendItem(places, fmt::format("{}/targets/{}/lib", base.root, name));
  return makeError(
      Code::NoneForMachine, fmt::format("no CUDA libraries for {}", machine.name),
      {{"nvcc", directory.nvcc}, {"searched", places}},
      {fmt::format("name an environment for {0}: pip install --platform manylinux2014_{0} "
                   "--only-binary=:all: --target DIR, then --runtime env:DIR",
                   machine.name),
       "name a toolkit with libraries for both: --toolkit PATH"});
}

static llvm::Expected<std::vector<TreeEntry>>
entriesOf(pipeline::System &system, cache::Store &store, const ToolchainPlan &planned) {
  const ToolchainDirectory &directory = planned.directory;
  std::optional<Finding> unread;
  auto list = [&](llvm::StringRef folder) {
    std::vector<plan::ListedName> names;
    FileStatus status = system.files.stat(folder);
    if (status.kind != FileStatus::Kind::Directory && !status.unreachable)
      return names;
    auto found = system.files.readDirectory(folder);
    if (!found) {
      unread = toFinding(found.takeError());
      return names;
    }
    for (const std::string &name : *found)
      names.push_back({name, system.files.stat(support::joinPath(folder, name)).kind ==
                                 FileStatus::Kind::Directory});
    return names;
  };
  std::vector<std::string> ours = {"cuda-cc", "nvcc"};
  for (const plan::UserCompiler &user : plan::UserCompiler::all)
    ours.push_back(user.name.str());
  for (const auto &[name, real] : directory.compilers)
    ours.push_back(name);
  std::vector<TreeEntry> entries = plan::planToolkitTree(planned.sources, ours, list);
  if (unread)
    return makeError(std::move(*unread));
  if (!directory.driver.empty())
    plan::addLaunched(directory.driver, entries);
  addDriverStub(planned, entries);
  if (auto table = probe::TorchTable::linkFor(system.self, system.files))
    entries.push_back(std::move(*table));
  if (auto facts = probe::factsLinkFor(system.self))
    entries.push_back(std::move(*facts));
  if (auto helper = probe::linkHelperLinkFor(system.self))
    entries.push_back(std::move(*helper));
  if (auto helper = probe::fetchHelperLinkFor(system.self))
    entries.push_back(std::move(*helper));
  const Toolkit *toolkit = planned.toolkit ? &*planned.toolkit : nullptr;
  llvm::append_range(entries, writtenFiles(directory, planned.target, toolkit,
                                           crossToolsOf(system, store, directory)));
  return entries;
}

llvm::Expected<ToolchainPlan> planDirectory(pipeline::System &system, cache::Store &store,
                                            ToolchainDirectory made, llvm::StringRef foundBy) {
  ToolchainPlan planned;
  planned.directory = std::move(made);
  ToolchainDirectory &directory = planned.directory;
  const Machine &machine = machineOf(directory);
  if (directory.declaration.declared()) {
    auto target = pipeline::resolveDeclaration(system, store, directory.declaration, machine);
    if (!target)
      return target.takeError();
    planned.target = std::move(*target);
  }
  if (policy::isOtherMachine(planned.target, machine.elf))
    return makeError(policy::otherMachine(planned.target, machine.elf, "the compiler"));
  auto base = readToolkit(system, store, directory, foundBy);
  if (!base)
    return base.takeError();
  auto environment = readEnvironment(system, store, directory.declaration);
  if (!environment)
    return environment.takeError();
  planned.sources = probe::findToolkitSources(
      *base ? &**base : nullptr, *environment ? &**environment : nullptr, machine, system.files);
  if (*base && planned.sources.libraries.empty() && !directory.machine.empty())
    return noLibraries(directory, **base);
  if (llvm::Error error = judge(system, store, *base, planned))
    return error;
  directory.program = programIdentity(system);
  directory.inputs.clear();
  directory.fingerprint.clear();
  addInputs(system, *base, *environment, planned);
  auto entries = entriesOf(system, store, planned);
  if (!entries)
    return entries.takeError();
  planned.content = plan::planToolchain(directory, directory.program, std::move(*entries));
  directory.fingerprint = planned.content.name;
  return planned;
}

} // namespace cudacc::commands
