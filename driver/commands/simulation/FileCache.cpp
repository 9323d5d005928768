// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/FileCache.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Bindings.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/SmallString.h"

namespace cudacc::commands {

using versions::Exported;

const core::BinaryFacts *FileCache::program(llvm::StringRef path) {
  auto [place, isNew] = programs.try_emplace(path.str());
  if (isNew && !path.empty()) {
    binary::ReadOptions options;
    options.imports = options.thorough = false;
    auto file = system.files.open(path);
    llvm::Expected<core::BinaryFacts> facts =
        file ? binary::read(**file, path, options) : file.takeError();
    if (!facts)
      llvm::consumeError(facts.takeError());
    else if (facts->kind == core::BinaryKind::Executable)
      place->second = std::move(*facts);
  }
  return place->second ? &*place->second : nullptr;
}

binary::ExportTable *FileCache::exportsOf(llvm::StringRef path) {
  auto [entry, isNew] = tables.try_emplace(path);
  if (!isNew)
    return entry->second.table.get();
  auto file = llvm::expectedToOptional(system.files.open(path));
  if (!file)
    return nullptr;
  auto table = binary::ExportTable::open(std::move(*file), path);
  if (table)
    entry->second.table = std::move(*table);
  else
    llvm::consumeError(table.takeError());
  return entry->second.table.get();
}

Exported FileCache::exported(llvm::StringRef path, llvm::StringRef symbol, llvm::StringRef node) {
  binary::ExportTable *table = exportsOf(path);
  if (!table)
    return Exported::Unknown;
  llvm::SmallString<128> question(symbol);
  question += '@';
  question += node;
  auto [place, isNew] = tables[path].known.try_emplace(question);
  if (isNew)
    place->second = table->find(symbol, node);
  return place->second;
}

const std::string &FileCache::plain(llvm::StringRef path) {
  auto [place, isNew] = plainPaths.try_emplace(path);
  if (!isNew)
    return place->second;
  std::string normal = support::normalizePath(path, system.files);
  std::string folder = support::parentOf(normal).str();
  auto [real, isNewFolder] = folders.try_emplace(folder);
  if (isNewFolder)
    real->second = system.files.realPath(folder).value_or(folder);
  return place->second = support::joinPath(real->second, support::nameOf(normal));
}

const std::string &FileCache::real(llvm::StringRef path) {
  auto [place, isNew] = realPaths.try_emplace(path);
  if (isNew)
    place->second = system.files.realPath(path).value_or(plain(path));
  return place->second;
}

const std::vector<loader::VersionNeed> &FileCache::versionNeeds(llvm::StringRef path) {
  auto [place, isNew] = needs.try_emplace(path);
  auto file = isNew ? llvm::expectedToOptional(system.files.open(path)) : std::nullopt;
  auto read = file ? llvm::expectedToOptional(binary::versionNeeds(**file, path)) : std::nullopt;
  if (read)
    for (binary::VersionNeed &need : *read)
      place->second.push_back({std::move(need.file), std::move(need.node), need.isWeak});
  return place->second;
}

std::optional<std::vector<loader::Bound>>
FileCache::order(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> symbols) {
  auto file = llvm::expectedToOptional(system.files.open(path));
  if (!file)
    return std::nullopt;
  auto read = llvm::expectedToOptional(binary::bindingOrder(**file, path, symbols));
  if (!read)
    return std::nullopt;
  std::vector<loader::Bound> order;
  for (binary::Binding &binding : *read)
    order.push_back({std::move(binding.symbol), binding.isLazy});
  return order;
}

} // namespace cudacc::commands
