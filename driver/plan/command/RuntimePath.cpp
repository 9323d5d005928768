// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/RuntimePath.h"
#include "driver/plan/command/Coupled.h"
#include "driver/plan/command/SearchPath.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using namespace core;

static std::vector<std::string> foldersOf(const Target &target, const RuntimeUse &use) {
  std::vector<std::string> folders = foldersOf(target, llvm::ArrayRef(use.rows));
  if (use.framework && !target.torch.empty() && !llvm::is_contained(folders, tables::torchFolder))
    folders.push_back(tables::torchFolder.str());
  return folders;
}

std::vector<std::string> runtimePath(const Declaration &declaration, const Target &target,
                                     const RuntimeUse &use) {
  std::vector<std::string> folders = foldersOf(target, use);
  // If the layout alone determines the directory, the path is added as soon as the link names a
  // library of the runtime.
  const LayoutChoice &layout = target.layout.value;
  if (folders.empty() && layout.kind != Layout::Wheels && !use.rows.empty())
    folders.emplace_back();
  return searchPath(declaration, layout, folders);
}

std::vector<std::string> runtimePlaces(const Target &target, const RuntimeUse &use) {
  std::vector<std::string> places = developPath(target.sitePackages, foldersOf(target, use));
  for (const TargetLibrary *row : use.rows) {
    if (!row->folder.empty() || row->path.empty())
      continue;
    std::string folder = llvm::StringRef(row->path).rsplit('/').first.str();
    if (!folder.empty() && !llvm::is_contained(places, folder))
      places.push_back(folder);
  }
  return places;
}

} // namespace cudacc::plan
