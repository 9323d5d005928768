// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/simulate/WheelTree.h"
#include "driver/loader/search/Expansion.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/LibraryShape.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::loader {

using core::BinaryFacts;
using core::LoadResult;
using llvm::StringRef;

/// Inode numbers: NVIDIA's libraries from 1, then the added files, then the checked file.
static constexpr uint64_t Device = 1, AddedBase = 1 << 20, Judged = 1 << 30;

BinaryFacts factsOf(const core::TargetLibrary &row, uint16_t machine, std::string &doubt) {
  BinaryFacts facts;
  facts.kind = core::BinaryKind::SharedObject;
  facts.machine = machine;
  facts.soname = row.soname;
  auto shape = tables::shapeOf(row.soname, row.dist, row.version);
  if (!shape || !shape->exact)
    doubt = fmt::format("what {} of {} {} needs is in no table", row.soname, row.dist, row.version);
  if (!shape)
    return facts;
  auto copy = [](const auto &from) { return std::vector<std::string>(from.begin(), from.end()); };
  facts.needed = copy(shape->needed);
  facts.rpath = copy(shape->rpath);
  facts.runpath = copy(shape->runpath);
  facts.hasRpath = shape->hasRpath;
  facts.hasRunpath = shape->hasRunpath;
  facts.dlopens = copy(shape->dlopens);
  facts.definedVersions = copy(shape->nodes);
  facts.hasVersionTable = true;
  return facts;
}

WheelTree::WheelTree(const core::Target &target, uint16_t machine)
    : hasTorch(!target.torch.empty()), layouts(1) {
  setMachine(plain, machine);
  plain.hwcaps.clear();
  plain.programPath = "/usr/bin/python3";
  plain.looksBehind = true;
  for (const core::TargetLibrary &row : target.libraries) {
    auto library = std::make_unique<Library>();
    library->row = &row;
    library->facts = factsOf(row, machine, library->doubt);
    library->ofFramework = tables::isRequiredByTorch(row.dist);
    if (layouts.size() < row.otherFolders.size() + 1)
      layouts.resize(row.otherFolders.size() + 1);
    libraries.push_back(std::move(library));
  }
  for (size_t variant = 0; variant < layouts.size(); ++variant)
    for (size_t i = 0; i < libraries.size(); ++i) {
      const core::TargetLibrary &row = *libraries[i]->row;
      const std::string *folder = &row.folder;
      if (variant && !row.otherFolders.empty())
        folder = &row.otherFolders[std::min(variant, row.otherFolders.size()) - 1];
      if (!folder->empty())
        layouts[variant].try_emplace(normal(fmt::format("{}/{}/{}", Site, *folder, row.soname)), i);
    }
}

void WheelTree::add(StringRef path, const BinaryFacts &facts) {
  std::string full = normal(fmt::format("{}/{}", Site, path));
  addedNames.try_emplace(StringRef(full).rsplit('/').second, path.str());
  added.try_emplace(full, Added{&facts, added.size()});
}

std::vector<std::string> WheelTree::placesFor(std::optional<StringRef> installDir) {
  if (installDir)
    return {normal(fmt::format("{}/{}", Site, *installDir))};
  return {fmt::format("{}/package", Site), Site.str()};
}

/// Looks up \p name in a default directory: finds what does not belong to the runtime.
Candidate WheelTree::ofSystem(StringRef name) const {
  Candidate result;
  auto known = tables::libraryByFileName(name);
  bool ofDriver = known && known->origin == tables::LibraryOrigin::Driver;
  if (addedNames.contains(name) || tables::isTorchLibrary(name))
    return result;
  if (known && !ofDriver) {
    // A row without a directory still is a library of the runtime. conda's Python has the `lib` of
    // its environment on its own search path.
    for (const auto &library : libraries)
      if (library->row->soname == name && library->row->folder.empty()) {
        result.kind = library->row->ofConda ? Candidate::Kind::Good : Candidate::Kind::Unreadable;
        result.reason = fmt::format("where {} keeps it is in no table", library->row->dist);
        result.namesRequest = true;
        result.facts = &library->facts;
      }
    return result;
  }
  result.kind = Candidate::Kind::Good;
  return result;
}

Candidate WheelTree::open(StringRef path, size_t variant) const {
  std::string full = normal(path);
  Candidate result;
  auto [directory, name] = StringRef(full).rsplit('/');
  if (auto found = added.find(full); found != added.end()) {
    result.kind = Candidate::Kind::Good;
    result.facts = found->second.facts;
    result.device = Device;
    result.inode = AddedBase + found->second.number;
    return result;
  }
  if (auto found = layouts[variant].find(full); found != layouts[variant].end()) {
    const Library &library = *libraries[found->second];
    result.kind = library.doubt.empty() ? Candidate::Kind::Good : Candidate::Kind::Unreadable;
    result.reason = library.doubt;
    result.facts = &library.facts;
    result.device = Device;
    result.inode = found->second + 1;
    return result;
  }
  if (directory == plain.defaultDirectories.front())
    return ofSystem(name);
  if (hasTorch && tables::isTorchLibrary(name) &&
      directory == fmt::format("{}/{}", Site, tables::torchFolder))
    result.kind = Candidate::Kind::Good;
  return result;
}

Situation WheelTree::situation(bool afterFramework, llvm::ArrayRef<StringRef> framework) const {
  Situation result = plain;
  if (!afterFramework)
    return result;
  for (StringRef name : framework) {
    Situation::Present object;
    object.path = fmt::format("{}/torch/lib/{}", Site, name);
    object.names.push_back(name.str());
    result.present.push_back(std::move(object));
  }
  for (const auto &[path, index] : layouts.front()) {
    const Library &library = *libraries[index];
    if (!library.ofFramework)
      continue;
    Situation::Present object;
    object.path = path.str();
    object.facts = &library.facts;
    object.device = Device;
    object.inode = index + 1;
    result.present.push_back(std::move(object));
  }
  llvm::sort(result.present, [](const auto &a, const auto &b) { return a.path < b.path; });
  return result;
}

/// The path of \p opened; empty if it is not in the tree.
std::string WheelTree::pathOf(StringRef opened, size_t variant) const {
  if (opened.contains('/'))
    return normal(fmt::format("{}/{}", Site, opened));
  for (const auto &[path, index] : layouts[variant])
    if (libraries[index]->row->soname == opened)
      return path.str();
  return {};
}

/// Says where what is missing lies.
static LoadResult located(LoadResult result, const llvm::StringMap<std::string> &added) {
  result.elsewhere = added.lookup(result.missing);
  for (LoadResult &each : result.behind)
    each.elsewhere = added.lookup(each.missing);
  return result;
}

LoadResult WheelTree::loadAt(const BinaryFacts &file, StringRef path, size_t variant,
                             bool afterFramework, llvm::ArrayRef<std::string> opened) const {
  std::vector<StringRef> framework;
  if (afterFramework) {
    auto take = [&](const BinaryFacts &facts) {
      for (const std::string &name : facts.needed)
        if (tables::isTorchLibrary(name))
          framework.push_back(name);
    };
    take(file);
    for (const auto &[name, other] : added)
      take(*other.facts);
    llvm::sort(framework);
    framework.erase(llvm::unique(framework), framework.end());
  }
  Situation process = situation(afterFramework, framework);
  auto look = [&](StringRef wanted) {
    if (normal(wanted) != path)
      return open(wanted, variant);
    Candidate itself;
    itself.kind = Candidate::Kind::Good;
    itself.facts = &file;
    itself.device = Device;
    itself.inode = Judged;
    return itself;
  };
  auto empty = [](StringRef) -> std::optional<std::string> { return std::nullopt; };
  if (file.kind != core::BinaryKind::Executable) {
    for (const std::string &each : opened) {
      std::string where = pathOf(each, variant);
      if (where.empty())
        continue;
      LoadResult result = loader::load(where, process, look, empty);
      if (result.ok())
        process = after(std::move(process), result, look);
    }
    return located(loader::load(path, process, look, empty), addedNames);
  }
  process.program = &file;
  process.programPath = path.str();
  return located(start(process, look, empty), addedNames);
}

LoadResult WheelTree::loadAt(const BinaryFacts &file, StringRef path, bool *afterFramework,
                             llvm::ArrayRef<std::string> opened) const {
  bool framework = requiresFramework || llvm::any_of(file.needed, tables::isTorchLibrary);
  std::optional<LoadResult> first;
  for (size_t variant = 0; variant < layouts.size(); ++variant) {
    LoadResult result = loadAt(file, path, variant, false, opened);
    if (!result.ok() && framework) {
      LoadResult later = loadAt(file, path, variant, true, opened);
      if (!later.ok())
        return later;
      if (afterFramework)
        *afterFramework = true;
    } else if (!result.ok()) {
      return result;
    }
    if (!first || first->ok())
      first = std::move(result);
  }
  return std::move(*first);
}

LoadResult WheelTree::load(const BinaryFacts &file, llvm::ArrayRef<std::string> places,
                           bool *afterFramework, llvm::ArrayRef<std::string> opened) const {
  StringRef name = StringRef(file.path).rsplit('/').second;
  if (name.empty())
    name = file.path;
  std::optional<LoadResult> first;
  bool firstAfter = false;
  for (const std::string &place : places) {
    bool after = false;
    LoadResult result = loadAt(file, normal(fmt::format("{}/{}", place, name)), &after, opened);
    bool good = result.ok() || after;
    if (good || !first) {
      first = std::move(result);
      firstAfter = after;
    }
    if (good)
      break;
  }
  if (afterFramework)
    *afterFramework = firstAfter;
  return first ? std::move(*first) : LoadResult{};
}

} // namespace cudacc::loader
