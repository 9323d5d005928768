// SPDX-License-Identifier: Apache-2.0
#include "driver/process/LibraryOutline.h"
#include "driver/binary/Reader.h"
#include "driver/tables/lookup/Symbols.h"

namespace cudacc::process {

/// std::nullopt if the file cannot be read. Imports and device code are not read.
static std::optional<core::BinaryFacts> outlineOf(core::Files &files, llvm::StringRef path,
                                                  bool exports) {
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return std::nullopt;
  binary::ReadOptions options;
  options.exports = exports;
  options.imports = options.thorough = false;
  return llvm::expectedToOptional(binary::read(**file, path, options));
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

} // namespace cudacc::process
