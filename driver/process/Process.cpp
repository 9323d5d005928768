// SPDX-License-Identifier: Apache-2.0
#include "driver/process/Process.h"
#include "driver/loader/search/Expansion.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/Support/Path.h"
#include <numeric>
#include <set>

namespace cudacc::process {

using namespace core;
using namespace versions;
using loader::Mapped;

/// Number of objects before those of `process.present`: the program, and the loader itself.
static constexpr size_t firstPresent = 2;

Process::Process(loader::Tree &tree, uint16_t machine, std::string workingDirectory, Depth depth)
    : tree(tree), depth(depth) {
  loader::setMachine(process, machine);
  process.machine = machine;
  process.workingDirectory = std::move(workingDirectory);
  if (auto own = tree.hwcaps(machine))
    process.hwcaps = std::move(*own);
  if (depth != Depth::Tables)
    return;
  process.hwcaps.clear();
  process.programPath = "/usr/bin/python3";
  process.looksBehind = true;
}

void Process::remember(const LoadResult &load, llvm::StringRef label) {
  std::set<llvm::StringRef> preloaded;
  for (auto [at, step] : llvm::enumerate(load.steps)) {
    if (step.by == LoadedBy::AlreadyLoaded || step.by == LoadedBy::SameFile || step.path.empty())
      continue;
    bool isPreloaded = at && (at <= load.preloaded || preloaded.count(step.askedBy));
    if (isPreloaded)
      preloaded.insert(step.path);
    steps.push_back({step, isPreloaded ? "LD_PRELOAD" : label.str()});
  }
}

void Process::surround(std::vector<std::string> libraryPath, std::vector<std::string> preload) {
  process.libraryPath = std::move(libraryPath);
  this->preload = std::move(preload);
}

void Process::makeGlobal() {
  global.resize(process.present.size());
  std::iota(global.begin(), global.end(), 0);
}

void Process::keepNames(const LoadResult &load) {
  for (const LoadStep &step : load.steps)
    if (step.by == LoadedBy::AlreadyLoaded || step.by == LoadedBy::SameFile)
      if (auto at = loader::find(process, step.path))
        process.present[*at].names.push_back(step.name);
}

std::optional<LoadResult> Process::startPython(llvm::StringRef path, const BinaryFacts *facts) {
  if (facts) {
    process.program = facts;
    process.programPath = path.str();
  }
  LoadResult load = loader::start(process, tree, preload);
  if (!load.ok() && !preload.empty())
    return load;
  if (load.ok()) {
    process = loader::after(std::move(process), load, tree);
    remember(load, "the program");
  }
  makeGlobal();
  called = path.str();
  return std::nullopt;
}

Process::Outcome Process::start(llvm::StringRef name, llvm::StringRef path,
                                const BinaryFacts &facts, bool now) {
  Outcome outcome;
  called = name.str();
  process.program = &facts;
  process.programPath = path.str();
  size_t before = process.present.size();
  outcome.load = loader::start(process, tree, preload);
  // start is called again after assume: drop the steps of the last attempt.
  steps.clear();
  remember(outcome.load, "");
  if (!outcome.load.ok())
    return outcome;
  process = loader::after(std::move(process), outcome.load, tree);
  makeGlobal();
  std::vector<Mapped> objects = mapped(process, before);
  objects.front().isChecked = true;
  loader::BindingResult bound = bind(objects, 0, now);
  outcome.binding = std::move(bound.failure);
  outcome.unknown = std::move(bound.unknown);
  return outcome;
}

Process::Outcome Process::open(llvm::StringRef path, bool isGlobal, llvm::StringRef label) {
  Outcome outcome;
  outcome.load = loader::load(path, process, tree);
  if (!outcome.load.ok())
    keepNames(outcome.load);
  if (!outcome.load.ok() || outcome.load.steps.empty())
    return outcome;
  size_t before = process.present.size();
  loader::Situation next = loader::after(process, outcome.load, tree);
  auto root = loader::find(next, outcome.load.steps.front().path);
  if (!root)
    return outcome;
  std::vector<Mapped> objects = mapped(next, before);
  loader::BindingResult bound = bind(objects, firstPresent + *root, true);
  outcome.binding = std::move(bound.failure);
  outcome.unknown = std::move(bound.unknown);
  if (outcome.binding) {
    keepNames(outcome.load);
    return outcome;
  }
  process = std::move(next);
  remember(outcome.load, label);
  if (isGlobal)
    for (size_t object : loader::breadthFirst(objects, firstPresent + *root))
      if (object >= firstPresent && !llvm::is_contained(global, object - firstPresent))
        global.push_back(object - firstPresent);
  return outcome;
}

/// Precedes the names of libraries that are assumed to be loaded.
static constexpr llvm::StringLiteral assumedFolder = "/missing/";

void Process::assume(llvm::StringRef name) {
  process.present.push_back({(assumedFolder + name).str(), nullptr, 0, 0, {name.str()}, {}});
}

void Process::assume(std::vector<loader::Situation::Present> objects) {
  llvm::append_range(process.present, std::move(objects));
}

LoadResult Process::find(llvm::StringRef name, llvm::StringRef caller) const {
  loader::Situation from = process;
  from.caller = loader::find(from, caller);
  return loader::load(name, from, tree);
}

/// Torch's own libraries are built for each other, and import a hundred thousand names. Only their
/// imports from NVIDIA's libraries are checked.
const BinaryFacts *Process::checkedFacts(llvm::StringRef path, const BinaryFacts *facts) {
  bool isInTorch = llvm::sys::path::parent_path(path).ends_with(tables::torchFolder);
  if (!isInTorch || !tables::isTorchLibrary(llvm::sys::path::filename(path)))
    return facts;
  auto &slot = reduced[path];
  if (slot)
    return slot.get();
  slot = std::make_unique<BinaryFacts>(*facts);
  // NCCL, cuSPARSELt and others export names without versions; those of C++ are torch's.
  llvm::erase_if(slot->imports, [](const Import &import) {
    return import.file.empty() && llvm::StringRef(import.symbol).starts_with("_Z");
  });
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> ofNvidia;
  BinaryFacts named = *slot;
  for (unsigned major : policy::majorsOf(named).value_or(llvm::SmallVector<unsigned, 3>()))
    for (const policy::LibraryImports &imports : policy::importsByLibrary(named, major))
      if (imports.named)
        for (const policy::LibraryImports::Name &name : imports.names)
          ofNvidia.emplace(name.symbol, name.node);
  llvm::erase_if(slot->imports, [&](const Import &import) {
    return !ofNvidia.count({import.symbol, import.version});
  });
  return slot.get();
}

static bool isSystems(llvm::StringRef path, const loader::Situation &situation) {
  bool inDefault = llvm::any_of(situation.defaultDirectories, [&](const std::string &folder) {
    return path.starts_with(folder + "/");
  });
  return inDefault && !tables::libraryByFileName(llvm::sys::path::filename(path));
}

/// A NEEDED entry as the loader asks for it.
static std::string asked(llvm::StringRef needed, const Mapped &by, const loader::Situation &now) {
  if (!loader::hasTokens(needed))
    return needed.str();
  std::string origin = loader::originOf(by.file, now.workingDirectory);
  return loader::expand(needed, {origin, now.lib, now.platform, now.secure, {}});
}

std::vector<Mapped> Process::mapped(const loader::Situation &now, size_t newFrom) {
  std::vector<Mapped> objects(firstPresent + now.present.size());
  objects[0].path = called;
  // The name by which a program is called is not its path.
  objects[0].file = now.programPath;
  objects[0].facts = now.program;
  objects[1].path = now.interpreter;
  objects[1].names = {now.interpreter, llvm::sys::path::filename(now.interpreter).str()};
  objects[1].file = now.interpreter;
  objects[1].facts = tree.open(now.interpreter, now.machine).facts;
  objects[1].isAssumed = !objects[1].facts && now.machine != ownMachine().elf;
  for (size_t i = 0; i != now.present.size(); ++i) {
    const loader::Situation::Present &present = now.present[i];
    Mapped &object = objects[firstPresent + i];
    object.path = object.file = present.path;
    object.isAssumed = llvm::StringRef(present.path).starts_with(assumedFolder);
    object.names = present.names;
    object.names.push_back(present.path);
    object.facts = present.facts;
    // The first object of a load is the file that is examined; it is checked in any case.
    bool counts = i == newFrom || !isSystems(present.path, now);
    object.isChecked = i >= newFrom && present.facts && counts;
    if (object.isChecked)
      object.facts = checkedFacts(present.path, present.facts);
  }
  llvm::StringMap<size_t> byName;
  for (size_t i = 0; i != objects.size(); ++i)
    for (const std::string &name : objects[i].names)
      byName.try_emplace(name, i);
  for (Mapped &object : objects)
    if (object.facts)
      for (const std::string &needed : object.facts->needed)
        if (auto found = byName.find(asked(needed, object, now)); found != byName.end())
          object.needs.push_back(found->second);
  return objects;
}

loader::BindingResult Process::bind(llvm::ArrayRef<Mapped> objects, size_t root, bool now) {
  if (depth != Depth::Whole)
    return {};
  std::vector<size_t> searched;
  if (root != 0) {
    searched = {0};
    for (size_t i : global)
      searched.push_back(firstPresent + i);
    searched.push_back(1);
  }
  std::vector<size_t> group = loader::breadthFirst(objects, root);
  // What LD_PRELOAD names comes before what the program NEEDs.
  if (root == 0) {
    group.resize(objects.size());
    std::iota(group.begin(), group.end(), 0);
  }
  return loader::bind(objects, group, searched, now, tree);
}

std::vector<FoundPart> partsOf(const Process &process, const Target &target, llvm::StringRef file) {
  std::vector<FoundPart> parts;
  for (const Process::Taken &taken : process.taken())
    for (policy::OpenedPart &part :
         policy::partsOpenedBy(llvm::sys::path::filename(taken.step.name), target)) {
      FoundPart &each = parts.emplace_back();
      each.opener = taken.step.path;
      llvm::StringRef folder = llvm::sys::path::parent_path(each.opener);
      auto isFound = [&](const std::string &name) {
        each.found = process.find(name, each.opener);
        return each.found.ok();
      };
      auto liesBeside = [&](const std::string &name) {
        return process.find(fmt::format("{}/{}", folder, name), each.opener).ok();
      };
      if (llvm::none_of(part.names, isFound))
        each.isBeside = each.opener == file && llvm::any_of(part.names, liesBeside);
      each.part = std::move(part);
    }
  return parts;
}

} // namespace cudacc::process
