// SPDX-License-Identifier: Apache-2.0
#include "driver/process/ChangedTree.h"
#include "driver/loader/search/Loader.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::process {

using loader::Candidate;
using versions::Exported;

void ChangedTree::remove(std::string path) {
  libraries.insert_or_assign(std::move(path), std::nullopt);
}

void ChangedTree::put(Library library) {
  library.number = libraries.size() + 1;
  library.facts.path = library.row.path;
  std::string path = library.row.path;
  libraries.insert_or_assign(std::move(path), std::move(library));
}

void ChangedTree::relink(std::string path, core::BinaryFacts facts, bool isRelinked,
                         std::vector<std::pair<std::string, std::string>> renamed) {
  relinked = {std::move(path), std::move(facts), isRelinked, std::move(renamed)};
}

const ChangedTree::Library *ChangedTree::changed(llvm::StringRef path) const {
  // Without a change, paths need not be compared.
  if (libraries.empty())
    return nullptr;
  auto found = libraries.find(disk.plain(path));
  return found != libraries.end() && found->second ? &*found->second : nullptr;
}

bool ChangedTree::isRelinked(llvm::StringRef path) const {
  return relinked && disk.plain(path) == relinked->path;
}

std::string ChangedTree::real(llvm::StringRef path) const {
  return changed(path) ? disk.plain(path) : disk.real(path);
}

bool ChangedTree::isHidden(llvm::StringRef name) const {
  return hidesCuda && (tables::isTorchLibrary(name) || tables::runtimeLibrary(name));
}

Candidate ChangedTree::open(llvm::StringRef path, uint16_t machine) {
  if (hidesCuda && isHidden(support::nameOf(path))) {
    loader::Situation usual;
    loader::setMachine(usual, machine);
    if (llvm::is_contained(usual.defaultDirectories, support::parentOf(path).rtrim('/')))
      return {};
  }
  if (!libraries.empty())
    if (auto found = libraries.find(disk.plain(path)); found != libraries.end()) {
      Candidate candidate;
      if (!found->second)
        return candidate;
      candidate.kind = Candidate::Kind::Good;
      candidate.facts = &found->second->facts;
      candidate.device = UINT64_MAX;
      candidate.inode = found->second->number;
      return candidate;
    }
  Candidate candidate = disk.open(path, machine);
  if (candidate.kind == Candidate::Kind::Good && isRelinked(path))
    candidate.facts = &relinked->facts;
  return candidate;
}

std::optional<std::string> ChangedTree::cached(llvm::StringRef name, uint16_t machine) {
  return isHidden(name) ? std::nullopt : disk.cached(name, machine);
}

Exported ChangedTree::exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
  const Library *library = changed(path);
  if (!library)
    return disk.exported(path, symbol, node);
  const std::vector<std::string> &nodes = library->facts.definedVersions;
  if (!node.empty() && !nodes.empty() && !llvm::is_contained(nodes, node))
    return Exported::No;
  const core::TargetLibrary &row = library->row;
  auto table = tables::SymbolTable::find(row.soname, library->major, row.dist);
  return table ? table->exported(row.version, symbol, library->facts.machine) : Exported::Unknown;
}

std::optional<bool> ChangedTree::versioned(llvm::StringRef path) {
  return changed(path) ? true : disk.versioned(path);
}

std::vector<core::VersionNeed> ChangedTree::versionNeeds(llvm::StringRef path) {
  bool isOwn = isRelinked(path);
  if (changed(path) || (isOwn && !relinked->isRelinked))
    return {};
  std::vector<core::VersionNeed> needs = disk.versionNeeds(path);
  if (isOwn)
    for (core::VersionNeed &need : needs)
      for (const auto &[from, to] : relinked->renamed)
        if (need.file == from)
          need.file = to;
  return needs;
}

std::optional<std::vector<loader::Bound>>
ChangedTree::order(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> symbols) {
  return disk.order(path, symbols);
}

} // namespace cudacc::process
