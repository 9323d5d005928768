#include "driver/Installed.h"

namespace cudacc {

elf::ExportTable *Installed::tableOf(const core::TargetLibrary &library) {
  if (library.path.empty())
    return nullptr;
  auto [entry, isNew] = tables.try_emplace(library.path);
  if (!isNew)
    return entry->second.get();
  auto file = files.open(library.path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return nullptr;
  }
  auto table = elf::ExportTable::open(std::move(*file), library.path);
  if (!table) {
    llvm::consumeError(table.takeError());
    return nullptr;
  }
  entry->second = std::move(*table);
  return entry->second.get();
}

core::Exported Installed::operator()(const core::TargetLibrary &library, llvm::StringRef symbol,
                                     llvm::StringRef node) {
  elf::ExportTable *table = tableOf(library);
  return table ? table->find(symbol, node) : core::Exported::Unknown;
}

std::optional<bool> Installed::versioned(const core::TargetLibrary &library) {
  elf::ExportTable *table = tableOf(library);
  return table ? std::optional(table->versioned()) : std::nullopt;
}

} // namespace cudacc
