// SPDX-License-Identifier: Apache-2.0
#include "driver/process/PackageTree.h"
#include "driver/process/TableTree.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"
#include <set>
#include <utility>

namespace cudacc::process {

using loader::Candidate;
using versions::Exported;

void PackageFiles::add(llvm::StringRef path, const core::BinaryFacts &facts, Opener open) {
  auto [place, isNew] = files.try_emplace(path);
  if (!isNew)
    return;
  place->second = std::make_unique<File>();
  place->second->facts = &facts;
  place->second->number = files.size();
  place->second->open = std::move(open);
  names.try_emplace(support::nameOf(path), path.str());
}

llvm::StringRef PackageFiles::pathOf(llvm::StringRef name) const {
  auto found = names.find(name);
  return found == names.end() ? llvm::StringRef() : llvm::StringRef(found->second);
}

std::vector<llvm::StringRef> PackageFiles::torchLibraries() const {
  std::set<llvm::StringRef> names;
  for (const auto &each : files)
    for (const std::string &name : each.second->facts->needed)
      if (tables::isTorchLibrary(name))
        names.insert(name);
  return {names.begin(), names.end()};
}

PackageFiles::File *PackageTree::find(llvm::StringRef path) const {
  auto found = package.files.find(TableTree::placed(path));
  return found == package.files.end() ? nullptr : found->second.get();
}

/// Null if the file could not be read. The caller holds its mutex.
binary::ExportTable *PackageFiles::File::table(llvm::StringRef path) {
  if (std::exchange(isRead, true) || !open)
    return exports.get();
  if (auto file = llvm::expectedToOptional(open()))
    if (auto read = llvm::expectedToOptional(binary::ExportTable::open(std::move(*file), path)))
      exports = std::move(*read);
  return exports.get();
}

Candidate PackageTree::open(llvm::StringRef path, uint16_t machine) {
  if (const PackageFiles::File *file = find(path)) {
    Candidate candidate;
    candidate.kind = Candidate::Kind::Good;
    candidate.facts = file->facts;
    candidate.device = reinterpret_cast<uintptr_t>(&package);
    candidate.inode = file->number;
    return candidate;
  }
  Candidate candidate = below.open(path, machine);
  // A name that somebody may have is that of the package, where the package has it.
  bool isGuess = candidate.kind == Candidate::Kind::Good && !candidate.facts;
  return isGuess && package.names.contains(support::nameOf(path)) ? Candidate() : candidate;
}

Exported PackageTree::exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
  PackageFiles::File *file = find(path);
  if (!file)
    return below.exported(path, symbol, node);
  std::lock_guard lock(file->mutex);
  binary::ExportTable *table = file->table(path);
  return table ? table->find(symbol, node) : Exported::Unknown;
}

std::optional<bool> PackageTree::versioned(llvm::StringRef path) {
  PackageFiles::File *file = find(path);
  if (!file)
    return below.versioned(path);
  std::lock_guard lock(file->mutex);
  binary::ExportTable *table = file->table(path);
  return table ? std::optional(table->versioned()) : std::nullopt;
}

} // namespace cudacc::process
