// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/check/TableJudge.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/commands/simulation/Packages.h"
#include "driver/loader/search/Expansion.h"
#include "driver/policy/rules/JudgeDependencies.h"
#include "driver/policy/rules/Preloading.h"
#include "driver/process/Others.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using process::TableTree;
namespace path = llvm::sys::path;

static std::string placed(llvm::StringRef place) {
  return TableTree::placed(fmt::format("{}/{}", TableTree::Site, place));
}

TableJudge::TableJudge(pipeline::System &system, pipeline::TorchTables &torchTables,
                       const Inputs &inputs, llvm::ArrayRef<ReadFile> files)
    : system(system), torchTables(torchTables), inputs(inputs), files(files), disk(system.files) {
  for (size_t i = 0; i != files.size(); ++i) {
    known.push_back(std::make_unique<Known>());
    const Input &input = inputs.files[i];
    if (files[i].state != ReadFile::State::Read)
      continue;
    if (input.inode)
      disk.know(input.device, input.inode, files[i].facts);
    size_t number = inputs.packageOf(input);
    while (groups.size() <= number)
      groups.push_back(std::make_unique<Group>());
    Group &group = *groups[number];
    if (input.member)
      group.requiresTorch = requiresTorch(inputs.wheels[input.wheel].metadata);
    for (llvm::StringRef place : input.places)
      if (!place.starts_with("nvidia/") && group.indices.try_emplace(placed(place), i).second)
        group.package.add(placed(place), files[i].facts, [&system, &inputs, &input] {
          return commands::open(system, inputs, input);
        });
    if (input.named && !input.member)
      addNeighbours(input, files[i].facts);
  }
}

/// Adds copies of NVIDIA's libraries to which the search path of a file leads. Other libraries are
/// not examined.
void TableJudge::addNeighbours(const Input &input, const BinaryFacts &facts) {
  llvm::StringRef folder = path::parent_path(input.path);
  for (const auto &[prefix, element] :
       loader::besideOrigin(facts.searchPath(), folder.empty() ? "." : folder)) {
    for (const std::string &name : facts.needed) {
      if (!tables::libraryByFileName(name) || llvm::StringRef(element).contains("nvidia/"))
        continue;
      std::string real = prefix + name;
      if (system.files.stat(real).kind != FileStatus::Kind::Regular)
        continue;
      loader::Candidate beside = disk.open(real, facts.machine);
      if (beside.facts)
        for (llvm::StringRef place : input.places)
          for (const auto &there : loader::besideOrigin(element, placed(path::parent_path(place))))
            groups[inputs.packageOf(input)]->package.add(
                loader::normal(there.prefix + name), *beside.facts,
                [this, real] { return system.files.open(real); });
    }
  }
}

process::Installation &TableJudge::installationOf(size_t file, const Target &target) {
  const Input &input = inputs.files[file];
  uint16_t machine = files[file].facts.machine;
  std::lock_guard lock(mutex);
  auto &slot = installations[{&target, inputs.packageOf(input), machine}];
  Group &group = groupOf(file);
  if (!slot)
    slot = std::make_unique<process::Installation>(target, machine, group.package,
                                                   group.requiresTorch);
  return *slot;
}

/// The file at such a path; std::nullopt if it is not one of the package of \p file that is judged.
std::optional<size_t> TableJudge::fileAt(size_t file, llvm::StringRef asked) const {
  const Group &group = groupOf(file);
  auto found = group.indices.find(loader::normal(loader::absolute(asked, "/")));
  return found == group.indices.end() ? std::nullopt : std::optional(found->second);
}

probe::InstalledPackages &TableJudge::distributionsOf(size_t file) {
  Group &group = groupOf(file);
  if (group.distributions)
    return *group.distributions;
  const auto &wheel = inputs.wheels[inputs.files[file].wheel];
  std::string site = TableTree::shown(TableTree::Site);
  group.sources = std::make_unique<pipeline::MountedFiles>(system.files);
  for (const auto &[place, index] : group.indices) {
    FileId id;
    id.inode = index + 1;
    group.sources->mount(TableTree::shown(place), id, [this, index = index] {
      return commands::open(system, inputs, inputs.files[index]);
    });
  }
  mountSources(wheel, site, *group.sources);
  group.distributions =
      std::make_unique<probe::InstalledPackages>(packageOf(wheel, site), *group.sources);
  return *group.distributions;
}

/// The runtime's libraries, each by name only: their paths are known to its tree.
static std::vector<InstalledLibrary> librariesOf(const Target &target) {
  std::vector<InstalledLibrary> libraries;
  for (const TargetLibrary &row : target.libraries) {
    InstalledLibrary &library = libraries.emplace_back();
    library.soname = library.path = row.soname;
  }
  return libraries;
}

/// As Installation::load() wants them.
static void addOpened(llvm::ArrayRef<policy::Preloaded> preloaded,
                      std::vector<std::string> &opened) {
  for (const policy::Preloaded &each : preloaded) {
    llvm::StringRef path = each.path;
    path.consume_front(fmt::format("{}/", TableTree::shown(TableTree::Site)));
    opened.push_back(path.str());
  }
}

std::optional<Finding> TableJudge::opensItself(size_t file, const Target &target,
                                               const LoadResult &load) {
  const Input &input = inputs.files[file];
  if (!input.member || input.places.empty())
    return std::nullopt;
  std::lock_guard lock(mutex);
  std::vector<InstalledLibrary> libraries = librariesOf(target);
  return Packages(system, distributionsOf(file), libraries)
      .opensItself(TableTree::shown(placed(input.places.front())), "", load.missing, load.failure,
                   {}, false);
}

/// Replaces internal paths: the file's by its own name, the others by those that are shown.
static void renamePaths(LoadResult &result, llvm::StringRef name) {
  std::string self = result.steps.empty() ? "" : result.steps.front().path;
  result.place = TableTree::place(self);
  auto rename = [&](std::string &path) {
    path = path == self ? name.str() : TableTree::shown(path);
  };
  for (NotOpened &each : result.notOpened)
    if (each.opener == TableTree::shown(self))
      each.opener = name.str();
  for (LoadStep &step : result.steps)
    for (std::string *path : {&step.askedBy, &step.path, &step.elementOf})
      rename(*path);
  auto renameSearch = [&](LoadResult &search) {
    rename(search.askedBy);
    for (std::string &path : search.searched)
      rename(path);
  };
  renameSearch(result);
  for (LoadResult &next : result.behind)
    renameSearch(next);
}

std::optional<LoadResult> TableJudge::load(size_t file, const Target &target) {
  const Input &input = inputs.files[file];
  const BinaryFacts &facts = files[file].facts;
  bool isLoaded = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
  if (!isLoaded || input.places.empty() || !target.asWheels())
    return std::nullopt;
  std::vector<std::string> places, opened;
  for (llvm::StringRef place : input.places)
    places.push_back(placed(path::parent_path(place)));
  policy::Preloading preloading;
  if (input.member) {
    std::lock_guard lock(mutex);
    std::vector<InstalledLibrary> libraries = librariesOf(target);
    preloading = Packages(system, distributionsOf(file), libraries)
                     .preloading(TableTree::shown(placed(input.places.front())));
  }
  addOpened(preloading.first, opened);
  process::Installation &installation = installationOf(file, target);
  LoadResult result = installation.load(facts, places, opened);
  if (!result.ok() && !preloading.fallback.empty()) {
    addOpened(preloading.fallback, opened);
    result = installation.load(facts, places, opened);
  }
  renamePaths(result, facts.path);
  return result;
}

std::vector<LibraryFloor> TableJudge::floorsOf(size_t file, unsigned major) {
  Known &about = *known[file];
  const BinaryFacts &facts = files[file].facts;
  std::call_once(about.floored, [&] {
    about.major = policy::majorOf(facts);
    if (about.major)
      about.floors = policy::floorsOf(facts, about.major);
  });
  return about.major ? about.floors : policy::floorsOf(facts, major);
}

const TorchRange &TableJudge::torchOf(size_t file, policy::DefinedBeside beside) {
  Known &about = *known[file];
  const BinaryFacts &facts = files[file].facts;
  std::call_once(about.ranged, [&] {
    if (!policy::mayUseTorch(facts))
      return;
    if (const tables::TorchNames *table = torchTables().names)
      about.torch =
          policy::torchRangeOf(policy::torchImports(facts, table), *table, facts.machine, beside);
  });
  return about.torch;
}

bool TableJudge::isCopy(size_t file) const {
  const Input &input = inputs.files[file];
  llvm::StringRef path = input.places.empty() ? "" : llvm::StringRef(input.places.front());
  if (!support::parentOf(path).ends_with(".libs"))
    return false;
  for (size_t i = 0; i != files.size(); ++i)
    if (i != file && inputs.packageOf(inputs.files[i]) == inputs.packageOf(input) &&
        llvm::is_contained(files[i].facts.needed, support::nameOf(path)))
      return true;
  return false;
}

std::vector<Finding> TableJudge::judgeItself(size_t file, const BinaryFacts &facts,
                                             const Runtime &runtime,
                                             const std::optional<LoadResult> &load,
                                             policy::OtherRuntimes *otherRuntimes,
                                             policy::LookAround lookAround) {
  const Input &input = inputs.files[file];
  const Target &target = runtime.target;
  // Files of an environment are on disk.
  loader::Tree &tree = target.asWheels() ? installationOf(file, target).tree() : disk;
  llvm::StringMap<llvm::StringRef> loaded;
  if (load)
    for (const LoadStep &step : load->steps)
      loaded.try_emplace(step.name, step.path);
  auto pathOf = [&](llvm::StringRef name) -> std::optional<std::string> {
    if (auto found = loaded.find(name); found != loaded.end())
      return found->second.str();
    // A load that waits for a framework ends before it reaches everything.
    llvm::StringRef own = groupOf(file).package.pathOf(name);
    return own.empty() ? std::nullopt : std::optional(own.str());
  };
  // A wheel of torch itself contains torch's libraries.
  auto isTorchs = [&](llvm::StringRef name) {
    std::optional<std::string> its = pathOf(name);
    return tables::isTorchLibrary(name) && !(its && fileAt(file, *its));
  };
  std::vector<LibraryFloor> floors = floorsOf(file, target.line.major);
  policy::FileCase judged;
  judged.facts = &facts;
  judged.target = &target;
  judged.exports = &tree;
  judged.floors = &floors;
  judged.load = load ? &*load : nullptr;
  judged.afterTorch = groupOf(file).requiresTorch;
  judged.isCopy = isCopy(file);
  if (input.member)
    judged.declared = inputs.wheels[input.wheel].metadata.requirements;
  judged.besideTorch = process::othersOf(tree, facts, pathOf, isTorchs);
  judged.otherRuntimes = otherRuntimes;
  torchOf(file, [&](llvm::StringRef symbol) {
    return policy::definedBy(tree, *judged.besideTorch, symbol);
  });
  pipeline::FilePlace place;
  // PREFIX/lib/python3.11/site-packages
  place.pythonPrefix =
      support::grandparentOf(support::parentOf(llvm::StringRef(input.sitePackages)));
  place.sitePackages = input.sitePackages;
  if (!input.member)
    place.path = input.path;
  return pipeline::judgeFile(system, torchTables, disk, judged, place, lookAround,
                             [&] { return process::othersOf(tree, facts, pathOf); });
}

static std::vector<FoundToolkit> noToolkits() { return {}; }

/// What keeps the file from being loaded, for those that load it.
std::vector<Finding> TableJudge::inheritedFrom(size_t file, const Runtime &runtime) {
  {
    std::lock_guard lock(mutex);
    auto found = inherited.find({file, &runtime});
    if (found != inherited.end())
      return found->second;
  }
  std::vector<Finding> findings =
      policy::inherited(judgeItself(file, files[file].facts, runtime, load(file, runtime.target),
                                    nullptr, noToolkits),
                        inputs.files[file].name);
  std::lock_guard lock(mutex);
  return inherited[{file, &runtime}] = std::move(findings);
}

class TableJudge::Under final : public policy::OtherRuntimes {
public:
  Under(TableJudge &judging, size_t file) : judging(judging), file(file) {}
  std::vector<Finding> judge(const Target &other) override {
    return judging.judgeUnder(file, other);
  }

private:
  TableJudge &judging;
  size_t file;
};

std::vector<Finding> TableJudge::judgeUnder(size_t file, const Target &target) {
  std::string name;
  for (const Setting<std::string> &each : target.declaredAs)
    name += fmt::format("{};", each.value);
  const Runtime *other = nullptr;
  {
    std::lock_guard lock(mutex);
    if (auto found = tried.find({file, name}); found != tried.end())
      return found->second;
    std::unique_ptr<Runtime> &slot = others[name];
    if (!slot) {
      slot = std::make_unique<Runtime>();
      slot->name = name;
      slot->target = target;
    }
    other = slot.get();
  }
  std::vector<Finding> findings = judge(file, files[file].facts, *other, nullptr);
  std::lock_guard lock(mutex);
  return tried[{file, name}] = std::move(findings);
}

std::vector<Finding> TableJudge::judge(size_t file, const BinaryFacts &facts,
                                       const Runtime &runtime, policy::LookAround lookAround) {
  std::optional<LoadResult> loaded = load(file, runtime.target);
  Under under(*this, file);
  std::vector<Finding> findings =
      judgeItself(file, facts, runtime, loaded, lookAround ? &under : nullptr,
                  lookAround ? lookAround : policy::LookAround(noToolkits));
  if (!loaded)
    return findings;
  for (const LoadStep &step : loaded->steps) {
    auto dependency = fileAt(file, step.path);
    if (step.by == LoadedBy::Root || !dependency || *dependency == file)
      continue;
    for (Finding &finding : inheritedFrom(*dependency, runtime))
      if (llvm::none_of(findings, [&](const Finding &each) {
            return each.code == finding.code && each.library == finding.library &&
                   each.symbol == finding.symbol;
          }))
        findings.push_back(std::move(finding));
  }
  auto isAboutIt = [&](const Finding &each) { return policy::isForWantOf(each, loaded->missing); };
  if (loaded->missing.empty() || llvm::none_of(findings, isAboutIt))
    return findings;
  if (auto opener = opensItself(file, runtime.target, *loaded)) {
    llvm::erase_if(findings, isAboutIt);
    findings.insert(findings.begin(), std::move(*opener));
  }
  return findings;
}

} // namespace cudacc::commands
