#include "driver/facts/Libraries.h"
#include "driver/facts/Toolkits.h"
#include "driver/loader/WheelTree.h"
#include "driver/policy/Resolve.h"
#include "driver/probe/Paths.h"
#include "driver/tools/Trial.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tools {

using namespace core;
using probe::joinPath;

/// The library at its place in the first site directory, whatever was there.
void Trial::put(TargetLibrary row) {
  if (row.folder.empty() || installed->sitePackages.empty())
    return;
  std::string plain = joinPath(installed->sitePackages.front(), joinPath(row.folder, row.soname));
  row.path = probe::tidy(plain, trials.world.files);
  llvm::erase_if(installed->libraries, [&](const TargetLibrary &each) {
    if (each.soname != row.soname)
      return false;
    overlay.files[each.path].removed = true;
    return true;
  });
  Overlay::File &file = overlay.files[row.path];
  std::string doubt;
  file.removed = false;
  file.facts = loader::factsOf(row, subject.facts.machine, doubt);
  file.facts.path = row.path;
  file.number = overlay.files.size();
  file.major = row.cuda.known() ? row.cuda.major : installed->line.major;
  file.row = row;
  installed->libraries.push_back(std::move(row));
}

void Trial::changeTorch() {
  Declaration declaration;
  declaration.runtime.push_back({"torch==" + change.torch, {Origin::Kind::Option, "doctor"}});
  auto target = policy::resolve(declaration, nullptr);
  if (!target) {
    llvm::consumeError(target.takeError());
    return;
  }
  for (const TargetLibrary &each : installed->libraries)
    overlay.files[each.path].removed = true;
  // What the wheels of the other major leave behind is in nobody's way.
  installed->libraries.clear();
  installed->line = target->line;
  installed->torch = change.torch;
  for (TargetLibrary &row : target->libraries)
    put(std::move(row));
}

void Trial::changeWorld() {
  libraryPath = change.libraryPath ? *change.libraryPath : scene.report.libraryPath;
  if (change.before)
    before = *change.before;
  installed = scene.installed;
  if (installed && !change.torch.empty())
    changeTorch();
  for (const auto &[dist, text] : change.wheels) {
    auto version = Version::parse(text);
    if (!version || !installed)
      continue;
    for (llvm::StringRef soname : facts::sonamesOf(dist, *version)) {
      TargetLibrary row;
      row.soname = soname.str();
      row.dist = dist;
      row.version = *version;
      row.cuda = facts::lineOf(dist, *version);
      row.folder = facts::folderOf(soname, dist, *version).str();
      row.origin = "would be installed";
      put(std::move(row));
    }
  }
  facts = subject.facts;
  if (change.relinked)
    facts = policy::relinked(facts, change);
  if (change.toolkit.known())
    facts = policy::rebuilt(facts, change.toolkit, *installed);
  if (change.relinked || change.toolkit.known()) {
    overlay.rebuilt =
        probe::tidy(probe::absolute(subject.path, trials.world.files), trials.world.files);
    overlay.isRelinked = change.relinked;
    overlay.renamed = change.renamed;
    overlay.facts = facts;
  }
}

} // namespace cudacc::tools
