// SPDX-License-Identifier: Apache-2.0
#include "driver/process/TableTree.h"
#include "driver/loader/search/Expansion.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::process {

using core::BinaryFacts;
using llvm::StringRef;
using loader::Candidate;
using versions::Exported;

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
  facts.definedVersions = copy(shape->nodes);
  facts.hasVersionTable = true;
  return facts;
}

size_t TableTree::variantsOf(const core::Target &target) {
  size_t most = 1;
  for (const core::TargetLibrary &row : target.libraries)
    most = std::max(most, row.otherFolders.size() + 1);
  return most;
}

static StringRef folderOf(const core::TargetLibrary &row, size_t variant) {
  if (!variant || row.otherFolders.empty())
    return row.folder;
  return row.otherFolders[std::min(variant, row.otherFolders.size()) - 1];
}

TableTree::TableTree(const core::Target &target, uint16_t machine, size_t variant)
    : hasTorch(!target.torch.empty()), major(target.line.major) {
  loader::Situation usual;
  loader::setMachine(usual, machine);
  defaultDirectory = usual.defaultDirectories.front();
  libraries.reserve(target.libraries.size());
  for (const core::TargetLibrary &row : target.libraries) {
    Library &library = libraries.emplace_back();
    library.row = &row;
    library.facts = factsOf(row, machine, library.doubt);
    library.ofFramework = tables::isRequiredByTorch(row.dist);
    if (StringRef folder = folderOf(row, variant); !folder.empty())
      places.try_emplace(loader::normal(fmt::format("{}/{}/{}", Site, folder, row.soname)),
                         libraries.size() - 1);
  }
}

/// What follows \p folder in the path; std::nullopt if the path is not below it.
static std::optional<StringRef> below(StringRef path, StringRef folder) {
  if (path.consume_front(folder) && (path.empty() || path.front() == '/'))
    return path;
  return std::nullopt;
}

std::string TableTree::placed(StringRef path) {
  std::string full = loader::absolute(path, "/");
  if (auto rest = below(full, Site))
    full = fmt::format("{}/lib/python{}{}", Prefix, Site, *rest);
  full = loader::normal(full);
  for (StringRef lib : {"/lib/python", "/lib64/python"}) {
    StringRef rest = full;
    if (!rest.consume_front(Prefix) || !rest.consume_front(lib))
      continue;
    rest = rest.drop_front(std::min(rest.find('/'), rest.size()));
    if (below(rest, Site))
      return rest.str();
  }
  return full;
}

std::string TableTree::place(StringRef path) {
  if (auto rest = below(path, Prefix))
    return fmt::format("../../..{}", *rest);
  path.consume_front(Site);
  return path.ltrim('/').str();
}

std::string TableTree::shown(StringRef path) {
  return below(path, Site) || below(path, Prefix) ? path.drop_front().str() : path.str();
}

const TableTree::Library *TableTree::find(StringRef path) const {
  auto found = places.find(placed(path));
  return found == places.end() ? nullptr : &libraries[found->second];
}

/// Looks up \p name in a default directory: finds what does not belong to the runtime.
Candidate TableTree::ofSystem(StringRef name) const {
  Candidate result;
  if (tables::isTorchLibrary(name))
    return result;
  if (!tables::runtimeLibrary(name)) {
    result.kind = Candidate::Kind::Good;
    return result;
  }
  // A row without a directory still is a library of the runtime. conda's Python has the `lib` of
  // its environment on its own search path.
  for (const Library &library : libraries)
    if (library.row->soname == name && library.row->folder.empty()) {
      result.kind = library.row->ofConda ? Candidate::Kind::Good : Candidate::Kind::Unreadable;
      result.reason = fmt::format("where {} keeps it is in no table", library.row->dist);
      result.namesRequest = true;
      result.facts = &library.facts;
    }
  return result;
}

Candidate TableTree::open(StringRef path, uint16_t) {
  Candidate result;
  if (const Library *library = find(path)) {
    result.kind = library->doubt.empty() ? Candidate::Kind::Good : Candidate::Kind::Unreadable;
    result.reason = library->doubt;
    result.facts = &library->facts;
    result.device = 1;
    result.inode = library - libraries.data() + 1;
    return result;
  }
  std::string full = placed(path);
  auto [directory, name] = StringRef(full).rsplit('/');
  if (directory == defaultDirectory)
    return ofSystem(name);
  if (hasTorch && tables::isTorchLibrary(name) &&
      directory == fmt::format("{}/{}", Site, tables::torchFolder))
    result.kind = Candidate::Kind::Good;
  return result;
}

Exported TableTree::exported(StringRef path, StringRef symbol, StringRef) {
  const Library *library = find(path);
  if (!library)
    return Exported::Unknown;
  const core::TargetLibrary &row = *library->row;
  auto table = tables::SymbolTable::find(row.soname, major, row.dist);
  return table ? table->exported(row.version, symbol, library->facts.machine) : Exported::Unknown;
}

std::optional<bool> TableTree::versioned(StringRef path) {
  const Library *library = find(path);
  return library && library->doubt.empty() ? std::optional(library->facts.hasVersionTable)
                                           : std::nullopt;
}

std::vector<loader::Situation::Present> TableTree::framework(llvm::ArrayRef<StringRef> own) const {
  std::vector<loader::Situation::Present> present;
  for (StringRef name : own) {
    loader::Situation::Present &object = present.emplace_back();
    object.path = fmt::format("{}/torch/lib/{}", Site, name);
    object.names.push_back(name.str());
  }
  for (const auto &[path, index] : places) {
    const Library &library = libraries[index];
    if (!library.ofFramework)
      continue;
    loader::Situation::Present &object = present.emplace_back();
    object.path = path.str();
    object.facts = &library.facts;
    object.device = 1;
    object.inode = index + 1;
  }
  llvm::sort(present, [](const auto &a, const auto &b) { return a.path < b.path; });
  return present;
}

std::string TableTree::pathOf(StringRef soname) const {
  for (const auto &[path, index] : places)
    if (libraries[index].row->soname == soname)
      return path.str();
  return {};
}

} // namespace cudacc::process
