// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/EnvironmentJudge.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/loader/search/Expansion.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using namespace support;

/// Device number of mounted files; no disk has it.
static constexpr uint64_t mountedDevice = UINT64_MAX - 1;
/// How deep the caller's own libraries are followed.
static constexpr unsigned mostNeighbours = 16;
/// Number of files for which fixes are searched; somewhat more than are printed in full.
static constexpr unsigned mostSearches = 40;

bool EnvironmentJudge::isInstalled(const std::string &real, const Runtime &runtime) const {
  return llvm::any_of(runtime.target.sitePackages,
                      [&](llvm::StringRef folder) { return support::isBelow(real, folder); });
}

/// Mounts what a file that is not installed yet NEEDs by `$ORIGIN`.
void EnvironmentJudge::mountNeighbours(Place &place, const std::string &folder,
                                       const std::string &realFolder, const BinaryFacts &facts,
                                       unsigned depth) {
  for (const auto &[prefix, element] : loader::besideOrigin(facts.searchPath(), realFolder)) {
    auto here = loader::besideOrigin(element, folder);
    if (here.empty())
      continue;
    for (const std::string &name : facts.needed) {
      std::string real = prefix + name;
      FileStatus status = system.files.stat(real);
      std::string path = support::normalizePath(here.front().prefix + name, system.files);
      if (status.kind != FileStatus::Kind::Regular || system.files.stat(path).exists())
        continue;
      place.files.mount(path, status.id, [this, real] { return system.files.open(real); });
      loader::Candidate found = place.disk.open(path, facts.machine);
      if (found.facts && depth)
        mountNeighbours(place, support::parentOf(path).str(), support::parentOf(real).str(),
                        *found.facts, depth - 1);
    }
  }
}

/// Mounts the file at every place where it may be installed.
void EnvironmentJudge::mount(Place &place, const Runtime &runtime, size_t file) {
  const Input &input = inputs.files[file];
  const std::string site = runtime.target.sitePackages.front() + "/";
  FileId id;
  id.device = input.inode ? input.device : mountedDevice;
  id.inode = input.inode ? input.inode : file + 1;
  for (size_t i = 0; i != input.places.size(); ++i) {
    // NVIDIA's libraries are those of the environment, if it has them.
    std::string path = site + input.places[i];
    bool isOfRuntime = llvm::StringRef(input.places[i]).starts_with("nvidia/");
    if (isOfRuntime && system.files.stat(path).exists())
      continue;
    place.files.mount(path, id, [this, &input] { return commands::open(system, inputs, input); });
    if (!input.root.empty() && i < input.rootPlaces.size())
      place.files.mountFolder(llvm::StringRef(site + input.rootPlaces[i]).rtrim('/').str(),
                              support::absolute(input.root, system.files));
    if (input.named && !input.member)
      mountNeighbours(place, support::parentOf(path).str(),
                      support::parentOf(support::absolute(input.path, system.files)).str(),
                      files[file].facts, mostNeighbours);
  }
}

llvm::Expected<EnvironmentJudge::Place *> EnvironmentJudge::placeFor(const Runtime &runtime,
                                                                     size_t package) {
  std::unique_ptr<Place> &slot = places[{&runtime, package}];
  if (slot)
    return slot.get();
  auto place = std::make_unique<Place>(system);
  for (size_t i = 0; i != files.size(); ++i) {
    const Input &input = inputs.files[i];
    if (files[i].state != ReadFile::State::Read)
      continue;
    uint64_t device = input.inode ? input.device : mountedDevice;
    place->disk.know(device, input.inode ? input.inode : i + 1, files[i].facts);
    if (inputs.packageOf(input) == package)
      mount(*place, runtime, i);
  }
  auto snapshot = snapshotOf(place->system, runtime.environment, runtime.target, asHere,
                             runtime.places, place->disk, place->inventory);
  if (!snapshot)
    return snapshot.takeError();
  place->snapshot = std::move(*snapshot);
  place->snapshot.report.before = before.vec();
  for (const std::string &name : before)
    if (filesOf(place->system, place->snapshot, name).empty())
      return makeError(Code::NoModule, fmt::format("--before {}: no file of it was found", name),
                       {{"environment", runtime.environment}},
                       {"name its file: --before path/to/ext.so"});
  place->simulator =
      std::make_unique<Simulator>(place->system, place->disk, place->inventory, place->snapshot);
  if (package < inputs.wheels.size()) {
    const std::string &site = runtime.target.sitePackages.front();
    mountSources(inputs.wheels[package], site, place->files);
    place->simulator->install(packageOf(inputs.wheels[package], site));
  }
  slot = std::move(place);
  return slot.get();
}

/// Replaces the path in the simulated process by the name that the user gave.
static void rename(Diagnosis &diagnosis, llvm::StringRef path, llvm::StringRef name) {
  auto change = [&](std::string &text) {
    if (text == path)
      text = name.str();
  };
  for (LoadStep &step : diagnosis.load.steps)
    for (std::string *text : {&step.askedBy, &step.path, &step.elementOf})
      change(*text);
  change(diagnosis.load.askedBy);
  for (Finding &finding : diagnosis.judgement.verdict.findings) {
    llvm::erase_if(finding.facts, [&](const Fact &fact) {
      return fact.label == "needed by" && fact.text == path;
    });
    for (Fact &fact : finding.facts)
      change(fact.text);
  }
}

/// Corrects commands that name a path which exists in the simulated process only. They get the path
/// on disk; for a member of a wheel, which no command can change, they become advice for its link.
static void rename(policy::Remedy &remedy, llvm::StringRef path, const Input &input) {
  std::string placed = shellWord(path);
  for (std::string &command : remedy.commands) {
    size_t at = command.find(placed);
    if (at == std::string::npos)
      continue;
    if (!input.member) {
      command.replace(at, placed.size(), shellWord(input.path));
      continue;
    }
    const policy::Change &change = remedy.change;
    remedy.text = "link it through cuda-cc";
    if (!change.rpath.empty() && change.needed.empty() && change.renamed.empty())
      remedy.text +=
          fmt::format(", or with -Wl,-rpath,{}", shellWord(llvm::join(change.rpath, ":")));
    remedy.commands.clear();
    return;
  }
}

Diagnosis EnvironmentJudge::judgeAt(Place &place, const Input &input, const BinaryFacts &facts,
                                    std::string path, const Runtime &runtime) {
  ExaminedFile subject;
  subject.name = input.name;
  subject.isMember = input.member;
  subject.isNamed = input.named && !input.member;
  subject.path = std::move(path);
  subject.facts = facts;
  // A member of a wheel keeps its name, wherever it will be installed.
  if (!input.member)
    subject.facts.path = subject.path;
  std::vector<std::string> before = beforeFor(place.system, place.snapshot, subject);
  bool mayFix = searches[&runtime] < mostSearches;
  Diagnosis diagnosis = place.simulator->diagnose(subject, before, mayFix);
  if (diagnosis.judgement.verdict.outcome() != Outcome::Accept)
    ++searches[&runtime];
  rename(diagnosis, subject.path, input.name);
  if (!system.files.stat(subject.path).exists())
    for (policy::Remedy &remedy : diagnosis.remedies)
      rename(remedy, subject.path, input);
  return diagnosis;
}

llvm::Expected<Diagnosis> EnvironmentJudge::judge(size_t file, const BinaryFacts &facts,
                                                  const Runtime &runtime) {
  std::lock_guard lock(mutex);
  const Input &input = inputs.files[file];
  bool isProgram = facts.kind == BinaryKind::Executable;
  std::optional<std::string> real;
  if (!input.member)
    real = system.files.realPath(input.path);
  // Python opens the name in site-packages, even if it is a link to elsewhere.
  std::string asNamed =
      support::normalizePath(support::absolute(input.path, system.files), system.files);
  bool isNamedThere = isInstalled(asNamed, runtime);
  if (!input.member && (isProgram || isNamedThere || (real && isInstalled(*real, runtime)))) {
    auto place = placeFor(runtime, SIZE_MAX);
    if (!place)
      return place.takeError();
    std::string path = isProgram ? input.path : isNamedThere ? asNamed : *real;
    return judgeAt(**place, input, facts, std::move(path), runtime);
  }
  auto place = placeFor(runtime, inputs.packageOf(input));
  if (!place)
    return place.takeError();
  std::optional<Diagnosis> first;
  std::vector<std::string> paths;
  for (const std::string &each : input.places)
    paths.push_back(support::joinPath(runtime.target.sitePackages.front(), each));
  // A file in another environment is not loaded from there.
  if (real && input.sitePackages.empty())
    paths.push_back(asNamed);
  for (std::string &path : paths) {
    Diagnosis diagnosis = judgeAt(**place, input, facts, std::move(path), runtime);
    if (diagnosis.judgement.verdict.outcome() == Outcome::Accept)
      return diagnosis;
    if (!first)
      first = std::move(diagnosis);
  }
  return std::move(*first);
}

} // namespace cudacc::commands
