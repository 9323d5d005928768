#include "driver/policy/Resolve.h"
#include "driver/facts/Drivers.h"
#include "driver/facts/Runtime.h"
#include "driver/policy/ResolveErrors.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;

namespace {

/// The weakest version of a library so far, and the world that has it.
struct Weakest {
  facts::RuntimeLibrary library;
  const World *world = nullptr;
  llvm::SmallVector<llvm::StringRef, 0> otherFolders;
};

/// Where the versions of libraries that nothing pins come from: a toolkit release that was named,
/// or the first of the line.
facts::ToolkitRelease floorOf(const World &world, bool named) {
  return named && world.toolkit ? *world.toolkit : *facts::firstRelease(world.line);
}

/// Keeps what both have, and of each the older version. Both are ordered by soname.
void weaken(std::vector<Weakest> &so, const std::vector<facts::RuntimeLibrary> &next,
            const World &world) {
  auto it = next.begin();
  llvm::erase_if(so, [&](Weakest &each) {
    while (it != next.end() && it->soname < each.library.soname)
      ++it;
    if (it == next.end() || it->soname != each.library.soname)
      return true;
    if (it->folder != each.library.folder && !llvm::is_contained(each.otherFolders, it->folder))
      each.otherFolders.push_back(it->folder);
    if (it->rank < each.library.rank) {
      llvm::StringRef folder = each.library.folder;
      each.library = *it;
      each.library.folder = folder;
      each.world = &world;
    }
    return false;
  });
}

std::vector<Weakest> weakestOf(const Worlds &worlds, bool named) {
  std::vector<Weakest> weakest;
  const World *last = nullptr;
  for (const World &world : worlds) {
    bool same = last && last->torch && last->line == world.line && world.build.pinsKnown &&
                last->build.pinSet == world.build.pinSet;
    if (same)
      continue;
    auto libraries =
        facts::runtimeLibraries(floorOf(world, named), world.torch ? &world.build : nullptr);
    if (!last) {
      weakest.reserve(libraries.size());
      for (const facts::RuntimeLibrary &library : libraries)
        weakest.push_back({library, &world, {}});
    } else {
      weaken(weakest, libraries, world);
    }
    last = &world;
    // The floor of a CUDA range is its lowest line (CN-2); releases of a framework are all weighed,
    // since each has pins of its own.
    if (!world.torch)
      break;
  }
  return weakest;
}

std::string originOf(const Weakest &weakest, bool named) {
  const World &world = *weakest.world;
  if (!weakest.library.pinned)
    return (named && world.toolkit ? "part of CUDA " : "floor of CUDA ") +
           (named && world.toolkit ? world.toolkit->str() : world.line.str());
  std::string text = weakest.library.floats ? "floats in " + world.describe() + ", floor"
                                            : "pinned by " + world.describe();
  if (weakest.library.confidence == facts::Confidence::Secondary)
    text += " (secondary source)";
  if (weakest.library.confidence == facts::Confidence::Unverified)
    text += " (unverified)";
  return text;
}

/// The text of every row's origin; there are few of them and many rows.
class Origins {
public:
  explicit Origins(bool named) : named(named) {}
  const std::string &of(const Weakest &weakest) {
    for (const auto &[like, text] : known)
      if (like->world == weakest.world && like->library.pinned == weakest.library.pinned &&
          like->library.floats == weakest.library.floats &&
          like->library.confidence == weakest.library.confidence)
        return text;
    return known.emplace_back(&weakest, originOf(weakest, named)).second;
  }

private:
  bool named;
  llvm::SmallVector<std::pair<const Weakest *, std::string>, 4> known;
};

void fill(TargetLibrary &row, const Weakest &weakest, Origins &origins) {
  const facts::RuntimeLibrary &library = weakest.library;
  row.soname = library.soname;
  row.dist = library.dist;
  row.version = *Version::parse(library.version);
  row.cuda = library.cuda;
  row.floats = library.floats;
  row.origin = origins.of(weakest);
  row.folder = library.folder;
  for (llvm::StringRef folder : weakest.otherFolders)
    row.otherFolders.push_back(folder.str());
}

/// The oldest toolkit release behind the worlds; empty when one of them has none that is known.
std::string releaseOf(const Worlds &worlds) {
  const facts::ToolkitRelease *oldest = nullptr;
  for (const World &world : worlds) {
    if (!world.toolkit)
      return {};
    if (!oldest || world.toolkit->index < oldest->index)
      oldest = &*world.toolkit;
    if (!world.torch)
      break;
  }
  return oldest->str();
}

} // namespace

llvm::Expected<Target> resolve(const Declaration &declaration) {
  Target target;
  target.enforce = declaration.enforce.value;
  if (!declaration.declared())
    return target;
  llvm::SmallVector<Wish, 2> wishes;
  for (const Setting<std::string> &setting : declaration.runtime) {
    auto wish = readWish(setting);
    if (!wish)
      return wish.takeError();
    wishes.push_back(std::move(*wish));
  }
  Worlds worlds = worldsOf(wishes);
  if (worlds.empty()) {
    for (const Wish &wish : wishes)
      if (worldsOf(wish).empty())
        return unknownRelease(wish);
    return contradiction(wishes);
  }
  unsigned major = worlds.front().line.major;
  if (llvm::any_of(worlds, [&](const World &world) { return world.line.major != major; }))
    return spansMajors(wishes, worlds);

  bool named = llvm::any_of(wishes, namesRelease);
  target.declared = true;
  target.declaredAs = declaration.runtime;
  target.line = llvm::min_element(worlds, [](const World &a, const World &b) {
                  return a.line < b.line;
                })->line;
  target.release = releaseOf(worlds);
  target.driverFloor = facts::driverFloor(major).str();
  auto weakest = weakestOf(worlds, named);
  Origins origins(named);
  target.libraries.resize(weakest.size());
  for (auto [row, each] : llvm::zip(target.libraries, weakest))
    fill(row, each, origins);
  return target;
}

} // namespace cudacc::policy
