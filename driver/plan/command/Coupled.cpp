// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Coupled.h"
#include "driver/tables/lookup/Coupling.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::plan {

using namespace core;

std::vector<const TargetLibrary *> coupledTo(const Target &target, const TargetLibrary &row) {
  std::vector<const TargetLibrary *> rows = {&row};
  for (size_t i = 0; i < rows.size(); ++i)
    for (const tables::Need &need :
         tables::needsOf(rows[i]->soname, rows[i]->dist, rows[i]->version))
      if (const TargetLibrary *coupled = target.find(need.soname);
          coupled && need.reach != tables::Reach::Dlopen && !llvm::is_contained(rows, coupled))
        rows.push_back(coupled);
  rows.erase(rows.begin());
  return rows;
}

/// Adds all folders of the library: within a range of releases it may lie in several.
static void addFolders(std::vector<std::string> &folders, const TargetLibrary &row) {
  auto add = [&](const std::string &folder) {
    if (!folder.empty() && !llvm::is_contained(folders, folder))
      folders.push_back(folder);
  };
  add(row.folder);
  for (const std::string &other : row.otherFolders)
    add(other);
}

std::vector<std::string> foldersOf(const Target &target,
                                   llvm::ArrayRef<const TargetLibrary *> rows) {
  std::vector<std::string> folders;
  std::vector<const TargetLibrary *> all = rows.vec();
  for (const TargetLibrary *row : rows)
    for (const TargetLibrary *coupled : coupledTo(target, *row))
      if (!llvm::is_contained(all, coupled))
        all.push_back(coupled);
  for (const TargetLibrary *row : all)
    addFolders(folders, *row);
  for (const TargetLibrary *row : all)
    for (const tables::Need &need : tables::needsOf(row->soname, row->dist, row->version))
      if (const TargetLibrary *other = target.find(need.soname))
        addFolders(folders, *other);
  return folders;
}

} // namespace cudacc::plan
