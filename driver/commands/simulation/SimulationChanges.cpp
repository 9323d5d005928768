// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Simulation.h"
#include "driver/process/TableTree.h"
#include "driver/resolve/Resolve.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::joinPath;

/// Where a library lies or would be installed: in the first site directory, or where conda put it.
/// Empty if that is not known.
std::string Simulation::placeOf(const TargetLibrary &row) const {
  const TargetLibrary *there = installed->find(row.soname);
  if (there && there->folder.empty() && !there->path.empty())
    return keyOf(there->path);
  if (row.folder.empty() || installed->sitePackages.empty())
    return {};
  return simulator.disk.plain(
      joinPath(installed->sitePackages.front(), joinPath(row.folder, row.soname)));
}

/// The path at which the loader finds the file; paths of rows have all links resolved.
std::string Simulation::keyOf(const std::string &path) const {
  auto found = snapshot.places.find(path);
  return simulator.disk.plain(found == snapshot.places.end() ? path : found->second);
}

/// Adds the library, in place of the one of that name.
void Simulation::put(TargetLibrary row) {
  row.path = placeOf(row);
  if (row.path.empty())
    return;
  llvm::erase_if(installed->libraries, [&](const TargetLibrary &each) {
    if (each.soname != row.soname)
      return false;
    tree.remove(keyOf(each.path));
    return true;
  });
  if (simulator.packages.placeOf(row.soname).empty())
    added.push_back({row.soname, row.path, row.folder, row.dist, row.version.str(), "", false});
  std::string doubt;
  process::ChangedTree::Library library;
  library.facts = process::factsOf(row, subject.facts.machine, doubt);
  library.major = row.cuda.known() ? row.cuda.major : installed->line.major;
  library.row = row;
  tree.put(std::move(library));
  installed->libraries.push_back(std::move(row));
}

void Simulation::changeTorch() {
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + change.torch, {Origin::Kind::Option, "doctor"}});
  auto target = llvm::expectedToOptional(resolve::resolve(declaration, nullptr));
  if (!target)
    return;
  for (const TargetLibrary &each : installed->libraries)
    tree.remove(keyOf(each.path));
  // Libraries that the wheels of the other major leave behind do not interfere.
  installed->libraries.clear();
  installed->line = target->line;
  installed->torch = change.torch;
  for (TargetLibrary &row : target->libraries)
    put(std::move(row));
}

void Simulation::applyChange() {
  libraryPath = change.libraryPath ? *change.libraryPath : snapshot.report.libraryPath;
  if (change.before)
    before = *change.before;
  installed = snapshot.installed;
  if (installed && !change.torch.empty())
    changeTorch();
  // The change installs the first CUDA wheels of the environment.
  if (!installed && !change.wheels.empty() && !snapshot.environment.sitePackages.empty()) {
    installed.emplace();
    installed->sitePackages = snapshot.environment.sitePackages;
  }
  for (const auto &[dist, text] : change.wheels) {
    auto version = Version::parse(text);
    if (!version || !installed)
      continue;
    if (!installed->line.known())
      installed->line = tables::lineOf(dist, *version);
    for (llvm::StringRef soname : tables::sonamesOf(dist, *version)) {
      TargetLibrary row;
      row.soname = soname.str();
      row.dist = dist;
      row.version = *version;
      row.cuda = tables::lineOf(dist, *version);
      row.folder = tables::folderOf(soname, dist, *version).str();
      row.origin = "would be installed";
      put(std::move(row));
    }
  }
  facts = subject.facts;
  if (change.relinked)
    facts = policy::relinked(facts, change);
  if (change.toolkit.known())
    facts = policy::rebuilt(facts, change.toolkit, *installed);
  if (change.relinked || change.toolkit.known())
    tree.relink(simulator.disk.plain(support::absolute(subject.path, simulator.disk.files)), facts,
                change.relinked, change.renamed);
}

} // namespace cudacc::commands
