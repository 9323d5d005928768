// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Process.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Bindings.h"
#include "driver/policy/rules/Imports.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Machine.h"
#include "llvm/Support/Path.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using namespace versions;
using loader::Candidate;
using loader::Mapped;

/// Number of objects before those of `process.present`: the program, and the loader itself.
static constexpr size_t firstPresent = 2;

Process::Process(FileCache &fileCache, const Overlay &overlay, uint16_t machine, bool isAnyMachine)
    : fileCache(fileCache), overlay(overlay), machine(machine), isAnyMachine(isAnyMachine) {
  loader::setMachine(process, machine);
  process.workingDirectory = fileCache.system.files.workingDirectory();
}

/// Without a change, paths need not be compared.
std::string Process::plain(llvm::StringRef path) const {
  return overlay.empty() ? path.str() : fileCache.plain(path);
}

const Overlay::File *Process::changed(llvm::StringRef path) const {
  auto found = overlay.files.find(plain(path));
  return found == overlay.files.end() ? nullptr : &found->second;
}

/// Whether the name is one of CUDA's or a framework's, which only some machines have.
bool Process::isAbsent(llvm::StringRef name) const {
  if (!isAnyMachine)
    return false;
  auto known = tables::libraryByFileName(name);
  return tables::isTorchLibrary(name) || (known && known->origin != tables::LibraryOrigin::Driver);
}

Candidate Process::look(llvm::StringRef path) const {
  bool isDefault =
      llvm::is_contained(process.defaultDirectories, support::parentOf(path).rtrim('/'));
  if (isDefault && isAbsent(support::nameOf(path)))
    return {};
  if (overlay.empty())
    return fileCache.disk.open(path, machine);
  std::string where = plain(path);
  Candidate candidate = fileCache.disk.open(path, machine);
  if (where == overlay.rebuilt && candidate.kind == Candidate::Kind::Good)
    candidate.facts = &overlay.facts;
  auto found = overlay.files.find(where);
  if (found == overlay.files.end())
    return candidate;
  candidate = Candidate();
  if (found->second.removed)
    return candidate;
  candidate.kind = Candidate::Kind::Good;
  candidate.facts = &found->second.facts;
  candidate.device = UINT64_MAX;
  candidate.inode = found->second.number;
  return candidate;
}

std::optional<std::string> Process::cached(llvm::StringRef name) const {
  return isAbsent(name) ? std::nullopt : fileCache.disk.cached(name, machine);
}

void Process::remember(const LoadResult &load, llvm::StringRef label) {
  for (const LoadStep &step : load.steps)
    if (step.by != LoadedBy::AlreadyLoaded && step.by != LoadedBy::SameFile && !step.path.empty())
      steps.push_back({step, label.str()});
}

void Process::surround(std::vector<std::string> libraryPath, llvm::ArrayRef<std::string> preload) {
  process.libraryPath = std::move(libraryPath);
  auto open = [&](llvm::StringRef path) { return look(path); };
  auto cache = [&](llvm::StringRef name) { return cached(name); };
  for (const std::string &file : preload) {
    LoadResult load = loader::load(file, process, open, cache);
    // The loader prints a message about a file that cannot be preloaded, and continues.
    if (!load.ok())
      continue;
    process = loader::after(std::move(process), load, open);
    remember(load, "LD_PRELOAD");
  }
}

bool Process::startPython(llvm::StringRef path) {
  if (const BinaryFacts *facts = fileCache.program(path)) {
    process.program = facts;
    process.programPath = path.str();
    auto open = [&](llvm::StringRef each) { return look(each); };
    auto cache = [&](llvm::StringRef name) { return cached(name); };
    LoadResult load = loader::start(process, open, cache);
    if (load.ok()) {
      process = loader::after(std::move(process), load, open);
      remember(load, "the program");
    }
  }
  for (size_t i = 0; i != process.present.size(); ++i)
    global.push_back(i);
  called = path.str();
  return process.program;
}

Process::Outcome Process::start(llvm::StringRef name, const BinaryFacts &facts, bool now) {
  Outcome outcome;
  called = name.str();
  process.program = &facts;
  process.programPath = fileCache.system.files.realPath(name).value_or(
      support::absolute(name, fileCache.system.files));
  auto open = [&](llvm::StringRef path) { return look(path); };
  auto cache = [&](llvm::StringRef each) { return cached(each); };
  size_t before = process.present.size();
  outcome.load = loader::start(process, open, cache);
  // start is called again after assume: drop the steps of the last attempt.
  preloaded = preloaded.value_or(steps.size());
  steps.resize(*preloaded);
  remember(outcome.load, "");
  if (!outcome.load.ok())
    return outcome;
  process = loader::after(std::move(process), outcome.load, open);
  std::vector<Mapped> objects = mapped(process, before);
  objects.front().isChecked = true;
  loader::BindingResult bound = bind(objects, 0, now);
  outcome.binding = std::move(bound.failure);
  outcome.unknown = std::move(bound.unknown);
  return outcome;
}

Process::Outcome Process::open(llvm::StringRef path, bool isGlobal, llvm::StringRef label) {
  Outcome outcome;
  auto open = [&](llvm::StringRef each) { return look(each); };
  auto cache = [&](llvm::StringRef name) { return cached(name); };
  outcome.load = loader::load(path, process, open, cache);
  if (!outcome.load.ok() || outcome.load.steps.empty())
    return outcome;
  size_t before = process.present.size();
  loader::Situation next = loader::after(process, outcome.load, open);
  auto root = loader::find(next, outcome.load.steps.front().path);
  if (!root)
    return outcome;
  std::vector<Mapped> objects = mapped(next, before);
  loader::BindingResult bound = bind(objects, firstPresent + *root, true);
  outcome.binding = std::move(bound.failure);
  outcome.unknown = std::move(bound.unknown);
  if (outcome.binding)
    return outcome;
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

/// What the system of another machine exports is not known. A library of the driver exports only
/// names in its own style, and which of them is not known.
static Exported exportedByAssumed(llvm::StringRef path, llvm::StringRef symbol) {
  auto known = tables::libraryByFileName(llvm::sys::path::filename(path));
  if (!known)
    return Exported::Unknown;
  bool isLike = known->name == "cuda"
                    ? symbol.consume_front("cu") && !symbol.empty() && llvm::isUpper(symbol.front())
                    : symbol.starts_with_insensitive("nv");
  return isLike ? Exported::Unknown : Exported::No;
}

LoadResult Process::find(llvm::StringRef name, llvm::StringRef caller) const {
  auto open = [&](llvm::StringRef path) { return look(path); };
  auto cache = [&](llvm::StringRef each) { return cached(each); };
  loader::Situation from = process;
  from.caller = loader::find(from, caller);
  return loader::load(name, from, open, cache);
}

const BinaryFacts *Process::factsOf(llvm::StringRef path) const { return look(path).facts; }

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

std::vector<Mapped> Process::mapped(const loader::Situation &now, size_t newFrom) {
  std::vector<Mapped> objects(firstPresent + now.present.size());
  objects[0].path = called;
  objects[0].facts = now.program;
  objects[1].path = now.interpreter;
  objects[1].names = {now.interpreter, llvm::sys::path::filename(now.interpreter).str()};
  objects[1].facts = look(now.interpreter).facts;
  objects[1].isAssumed = !objects[1].facts && machine != ownMachine().elf;
  for (size_t i = 0; i != now.present.size(); ++i) {
    const loader::Situation::Present &present = now.present[i];
    Mapped &object = objects[firstPresent + i];
    object.path = present.path;
    object.isAssumed = llvm::StringRef(present.path).starts_with(assumedFolder);
    object.names = present.names;
    object.names.push_back(present.path);
    object.facts = present.facts;
    // The first object of a load is the file that is examined; it is checked in any case.
    bool counts = i == newFrom || !isSystems(present.path, now);
    object.isChecked = i >= newFrom && present.facts && counts;
    if (present.facts && !present.facts->soname.empty())
      object.names.push_back(present.facts->soname);
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
        if (auto found = byName.find(needed); found != byName.end())
          object.needs.push_back(found->second);
  return objects;
}

Exported Overlay::File::exported(llvm::StringRef symbol, llvm::StringRef node) const {
  const std::vector<std::string> &nodes = facts.definedVersions;
  if (!node.empty() && !nodes.empty() && !llvm::is_contained(nodes, node))
    return Exported::No;
  auto table = tables::SymbolTable::find(row.soname, major, row.dist);
  return table ? table->exported(row.version, symbol) : Exported::Unknown;
}

Exported Process::exported(const Mapped &object, llvm::StringRef symbol, llvm::StringRef node) {
  if (object.isAssumed)
    return exportedByAssumed(object.path, symbol);
  const Overlay::File *file = overlay.files.empty() ? nullptr : changed(object.path);
  return file ? file->exported(symbol, node) : fileCache.exported(object.path, symbol, node);
}

loader::BindingResult Process::bind(llvm::ArrayRef<Mapped> objects, size_t root, bool now) {
  std::vector<size_t> searched;
  if (root != 0) {
    searched = {0};
    for (size_t i : global)
      searched.push_back(firstPresent + i);
    searched.push_back(1);
  }
  std::vector<size_t> group = loader::breadthFirst(objects, root);
  if (root == 0)
    for (size_t i = 1; i != objects.size(); ++i)
      if (!llvm::is_contained(group, i))
        group.push_back(i);
  // The name by which a program is called is not its path.
  auto pathOf = [&](size_t object) {
    return object ? llvm::StringRef(objects[object].path) : llvm::StringRef(process.programPath);
  };
  auto exports = [&](size_t object, llvm::StringRef symbol, llvm::StringRef node) {
    if (object)
      return exported(objects[object], symbol, node);
    return fileCache.exported(process.programPath, symbol, node);
  };
  auto versioned = [&](size_t object) -> std::optional<bool> {
    if (!overlay.files.empty() && changed(objects[object].path))
      return true;
    binary::ExportTable *table = fileCache.exportsOf(pathOf(object));
    return table ? std::optional(table->versioned()) : std::nullopt;
  };
  auto needs = [&](size_t object) -> std::vector<loader::VersionNeed> {
    if (!overlay.empty() && changed(pathOf(object)))
      return {};
    bool isRebuilt = !overlay.rebuilt.empty() && plain(pathOf(object)) == overlay.rebuilt;
    if (isRebuilt && !overlay.isRelinked)
      return {};
    std::vector<loader::VersionNeed> all = fileCache.versionNeeds(pathOf(object));
    for (loader::VersionNeed &need : all)
      for (const auto &[from, to] : overlay.renamed)
        if (isRebuilt && need.file == from)
          need.file = to;
    return all;
  };
  auto order = [&](size_t object, llvm::ArrayRef<llvm::StringRef> symbols) {
    return fileCache.order(pathOf(object), symbols);
  };
  return loader::bind(objects, group, searched, now, {exports, versioned, needs, order});
}

} // namespace cudacc::commands
