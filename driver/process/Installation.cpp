// SPDX-License-Identifier: Apache-2.0
#include "driver/process/Installation.h"
#include "driver/loader/search/Expansion.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::process {

using core::BinaryFacts;
using core::LoadResult;
using llvm::StringRef;

Installation::Installation(const core::Target &target, uint16_t machine, PackageFiles &package,
                           bool requiresFramework)
    : target(target), machine(machine), package(package), requiresFramework(requiresFramework) {
  for (size_t variant = 0; variant != TableTree::variantsOf(target); ++variant)
    layouts.push_back(std::make_unique<Layout>(target, machine, variant, package));
}

std::vector<std::string> Installation::placesFor(std::optional<StringRef> installDir) {
  if (installDir)
    return {loader::normal(fmt::format("{}/{}", TableTree::Site, *installDir))};
  return {fmt::format("{}/package", TableTree::Site), TableTree::Site.str()};
}

/// Says where the package has what is missing.
static void locate(LoadResult &result, const PackageFiles &package) {
  StringRef path = package.pathOf(result.missing);
  result.elsewhere = TableTree::place(path);
  for (LoadResult &each : result.behind)
    locate(each, package);
}

bool Installation::usesFramework(const BinaryFacts &file) const {
  return requiresFramework || llvm::any_of(file.needed, tables::isTorchLibrary);
}

void Installation::assumeFramework(const BinaryFacts &file, const Layout &layout,
                                   Process &process) const {
  std::vector<StringRef> own = package.torchLibraries();
  for (const std::string &name : file.needed)
    if (tables::isTorchLibrary(name) && !llvm::is_contained(own, name))
      own.push_back(name);
  process.assume(layout.runtime.framework(own));
}

LoadResult Installation::loadAt(const BinaryFacts &file, StringRef path, Layout &layout,
                                bool afterFramework, llvm::ArrayRef<std::string> opened) {
  // The file takes the place of one that the runtime or the package has there.
  PackageFiles itself;
  itself.add(path, file, nullptr);
  PackageTree tree(itself, layout.installed);
  Process process(tree, machine, "/", Process::Depth::Tables);
  if (afterFramework)
    assumeFramework(file, layout, process);
  bool isProgram = file.kind == core::BinaryKind::Executable;
  for (StringRef each : isProgram ? llvm::ArrayRef<std::string>() : opened) {
    std::string where = each.contains('/')
                            ? loader::normal(fmt::format("{}/{}", TableTree::Site, each))
                            : layout.runtime.pathOf(each);
    if (!where.empty())
      process.open(where, false, "");
  }
  LoadResult result = isProgram ? std::move(process.start(path, path, file, false).load)
                                : std::move(process.open(path, false, "").load);
  if (!result.ok())
    return result;
  // What users of the framework call is called when it is there.
  if (!afterFramework && usesFramework(file))
    assumeFramework(file, layout, process);
  for (FoundPart &part : partsOf(process, target, path))
    if (!part.found.ok()) {
      part.opener = TableTree::shown(loader::normal(part.opener));
      result.notOpened.push_back(part.notOpened());
    }
  return result;
}

LoadResult Installation::loadAt(const BinaryFacts &file, StringRef path,
                                llvm::ArrayRef<std::string> opened, bool &loads) {
  bool framework = usesFramework(file);
  std::optional<LoadResult> first;
  for (const auto &layout : layouts) {
    LoadResult result = loadAt(file, path, *layout, false, opened);
    if (!result.ok() && framework) {
      LoadResult later = loadAt(file, path, *layout, true, opened);
      if (!later.ok())
        return later;
    } else if (!result.ok()) {
      return result;
    }
    if (!first || first->ok())
      first = std::move(result);
  }
  loads = true;
  return std::move(*first);
}

LoadResult Installation::load(const BinaryFacts &file, llvm::ArrayRef<std::string> places,
                              llvm::ArrayRef<std::string> opened) {
  std::optional<LoadResult> first;
  for (const std::string &place : places) {
    bool loads = false;
    std::string path =
        loader::normal(fmt::format("{}/{}", place, support::nameOf(StringRef(file.path))));
    LoadResult result = loadAt(file, path, opened, loads);
    locate(result, package);
    if (loads)
      return result;
    if (!first)
      first = std::move(result);
  }
  return first ? std::move(*first) : LoadResult{};
}

} // namespace cudacc::process
