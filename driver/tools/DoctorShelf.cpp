#include "driver/elf/Bindings.h"
#include "driver/tools/DoctorProcess.h"

namespace cudacc::tools {

elf::ExportTable *Shelf::exportsOf(llvm::StringRef path) {
  auto [entry, isNew] = tables.try_emplace(path);
  if (!isNew)
    return entry->second.get();
  auto file = world.files.open(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return nullptr;
  }
  auto table = elf::ExportTable::open(std::move(*file), path);
  if (table)
    entry->second = std::move(*table);
  else
    llvm::consumeError(table.takeError());
  return entry->second.get();
}

std::vector<loader::VersionNeed> Shelf::versionNeeds(llvm::StringRef path) {
  std::vector<loader::VersionNeed> needs;
  auto file = world.files.open(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return needs;
  }
  auto read = elf::versionNeeds(**file, path);
  if (!read) {
    llvm::consumeError(read.takeError());
    return needs;
  }
  for (elf::VersionNeed &need : *read)
    needs.push_back({std::move(need.file), std::move(need.node), need.isWeak});
  return needs;
}

std::optional<std::vector<loader::Bound>> Shelf::order(llvm::StringRef path,
                                                       llvm::ArrayRef<llvm::StringRef> symbols) {
  auto file = world.files.open(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto read = elf::bindingOrder(**file, path, symbols);
  if (!read) {
    llvm::consumeError(read.takeError());
    return std::nullopt;
  }
  std::vector<loader::Bound> order;
  for (elf::Binding &binding : *read)
    order.push_back({std::move(binding.symbol), binding.isLazy});
  return order;
}

} // namespace cudacc::tools
