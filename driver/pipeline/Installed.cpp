// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Installed.h"
#include "driver/binary/Reader.h"
#include "driver/tables/lookup/NvJitLink.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"

namespace cudacc::pipeline {

binary::ExportTable *Installed::tableOf(const core::TargetLibrary &library) {
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
  auto table = binary::ExportTable::open(std::move(*file), library.path);
  if (!table) {
    llvm::consumeError(table.takeError());
    return nullptr;
  }
  entry->second = std::move(*table);
  return entry->second.get();
}

versions::Exported Installed::operator()(const core::TargetLibrary &library, llvm::StringRef symbol,
                                         llvm::StringRef node) {
  binary::ExportTable *table = tableOf(library);
  return table ? table->find(symbol, node) : versions::Exported::Unknown;
}

std::optional<bool> Installed::versioned(const core::TargetLibrary &library) {
  binary::ExportTable *table = tableOf(library);
  return table ? std::optional(table->versioned()) : std::nullopt;
}

InstalledTorchNames::InstalledTorchNames(const core::Target &target, Installed &exports)
    : exports(exports) {
  for (const std::string &site : target.sitePackages)
    for (const std::string &name : exports.list(fmt::format("{}/{}", site, tables::torchFolder)))
      if (tables::isTorchLibrary(name)) {
        core::TargetLibrary &library = libraries.emplace_back();
        library.soname = name;
        library.path = fmt::format("{}/{}/{}", site, tables::torchFolder, name);
      }
}

versions::Exported InstalledTorchNames::operator()(llvm::StringRef symbol) {
  versions::Exported answer = versions::Exported::No;
  for (const core::TargetLibrary &library : libraries) {
    versions::Exported here = exports(library, symbol, "");
    if (here == versions::Exported::Yes)
      return here;
    if (here == versions::Exported::Unknown)
      answer = here;
  }
  return answer;
}

/// std::nullopt if the file cannot be read. Imports and device code are not read.
static std::optional<core::BinaryFacts> outlineOf(core::Files &files, llvm::StringRef path,
                                                  bool exports) {
  auto file = files.open(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  binary::ReadOptions options;
  options.exports = exports;
  options.imports = options.thorough = false;
  auto facts = binary::read(**file, path, options);
  if (facts)
    return std::move(*facts);
  llvm::consumeError(facts.takeError());
  return std::nullopt;
}

probe::LibraryNames libraryNames(core::Files &files, llvm::StringRef path) {
  auto facts = outlineOf(files, path, /*exports=*/false);
  if (!facts)
    return {};
  return {std::move(facts->soname), std::move(facts->needed)};
}

versions::CudaVersion newestNvJitLink(core::Files &files, llvm::StringRef path) {
  auto facts = outlineOf(files, path, /*exports=*/true);
  versions::CudaVersion newest;
  if (facts)
    for (const core::Export &name : facts->exports)
      newest =
          std::max(newest, tables::nvJitLinkSuffix(name.symbol).value_or(versions::CudaVersion{}));
  return newest;
}

} // namespace cudacc::pipeline
