#include "driver/resolve/Weakest.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

/// Where the versions of libraries that nothing pins come from: a toolkit release that was named,
/// or the first of the line.
static tables::ToolkitRelease floorOf(const World &world, bool named) {
  return named && world.toolkit ? *world.toolkit : *tables::firstRelease(world.line, world.more);
}

/// Keeps what both have, and of each the older version. Both are ordered by soname.
static void weaken(std::vector<Weakest> &so, const std::vector<tables::RuntimeLibrary> &next,
                   const World &world) {
  auto it = next.begin();
  llvm::erase_if(so, [&](Weakest &each) {
    while (it != next.end() && it->soname < each.library.soname)
      ++it;
    if (it == next.end() || it->soname != each.library.soname)
      return true;
    if (it->folder != each.library.folder && !llvm::is_contained(each.otherFolders, it->folder))
      each.otherFolders.push_back(it->folder);
    if (tables::isOlder(*it, each.library)) {
      llvm::StringRef folder = each.library.folder;
      each.library = *it;
      each.library.folder = folder;
      each.world = &world;
    }
    return false;
  });
}

/// Builds with the same number have the same pins.
static bool isAlike(const World &world, const World &last) {
  return world.torch && last.torch && last.line == world.line && world.build.pinsKnown &&
         last.build.pinSet == world.build.pinSet;
}

std::vector<Weakest> weakestOf(const Worlds &worlds, bool named) {
  std::vector<Weakest> weakest;
  const World *last = nullptr;
  for (const World &world : worlds) {
    if (last && isAlike(world, *last))
      continue;
    auto libraries = tables::runtimeLibraries(floorOf(world, named), world.pins, world.more);
    if (!last) {
      weakest.reserve(libraries.size());
      for (const tables::RuntimeLibrary &library : libraries)
        weakest.push_back({library, &world, {}});
    } else {
      weaken(weakest, libraries, world);
    }
    last = &world;
    // The floor of a CUDA range is its lowest line (CN-2); releases of a framework are all weighed,
    // since each has pins of its own.
    if (world.isCuda())
      break;
  }
  return weakest;
}

/// An exact version says more than an equal one that floats, and any requirement more than none.
static bool saysMore(const Weakest &one, const Weakest &other) {
  if (one.library.bounded != other.library.bounded)
    return one.library.bounded;
  if (tables::isOlder(one.library, other.library) || tables::isOlder(other.library, one.library))
    return tables::isOlder(other.library, one.library);
  if (one.library.pinned != other.library.pinned)
    return one.library.pinned;
  return !one.library.floats || other.library.floats;
}

std::vector<Weakest> together(std::vector<Weakest> one, std::vector<Weakest> other) {
  std::vector<Weakest> all;
  auto a = one.begin(), b = other.begin();
  while (a != one.end() || b != other.end()) {
    bool onlyA = b == other.end() || (a != one.end() && a->library.soname < b->library.soname);
    bool onlyB = a == one.end() || (!onlyA && b->library.soname < a->library.soname);
    if (onlyA || onlyB) {
      all.push_back(std::move(onlyA ? *a++ : *b++));
      continue;
    }
    all.push_back(std::move(saysMore(*a, *b) ? *a : *b));
    ++a, ++b;
  }
  return all;
}

/// The toolkit part whose version is that of the line or of the release behind it.
static std::string toolkitOrigin(const World &world, bool named) {
  if (named && world.toolkit)
    return fmt::format("part of CUDA {}", *world.toolkit);
  return fmt::format("floor of CUDA {}", world.line);
}

static bool floats(const Weakest &weakest) {
  return weakest.library.pinned ? weakest.library.floats : weakest.world->toolkitFloats;
}

static std::string originOf(const Weakest &weakest, bool named) {
  const World &world = *weakest.world;
  if (!weakest.library.bounded) {
    std::string floor = toolkitOrigin(world, named);
    std::string doubt = world.extrapolated ? " (secondary source)" : "";
    return floats(weakest) ? fmt::format("floats in {}, {}{}", world.describe(), floor, doubt)
                           : floor;
  }
  std::string text = weakest.library.floats ? fmt::format("floats in {}, floor", world.describe())
                                            : "pinned by " + world.describe();
  if (weakest.library.confidence == tables::Confidence::Secondary)
    text += " (secondary source)";
  if (weakest.library.confidence == tables::Confidence::Unverified)
    text += " (unverified)";
  return text;
}

namespace {

/// The text of every row's origin; there are few of them and many rows.
class Origins {
public:
  explicit Origins(bool named) : named(named) {}
  const std::string &of(const Weakest &weakest) {
    for (const auto &[like, text] : known)
      if (like->world == weakest.world && like->library.pinned == weakest.library.pinned &&
          like->library.bounded == weakest.library.bounded &&
          like->library.floats == weakest.library.floats &&
          like->library.confidence == weakest.library.confidence)
        return text;
    return known.emplace_back(&weakest, originOf(weakest, named)).second;
  }

private:
  bool named;
  llvm::SmallVector<std::pair<const Weakest *, std::string>, 4> known;
};

} // namespace

static void fill(TargetLibrary &row, const Weakest &weakest, Origins &origins) {
  const tables::RuntimeLibrary &library = weakest.library;
  row.soname = library.soname;
  row.dist = library.dist;
  row.version = *Version::parse(library.version);
  row.cuda = library.cuda;
  row.floats = floats(weakest);
  row.origin = origins.of(weakest);
  row.folder = library.folder;
  for (llvm::StringRef folder : weakest.otherFolders)
    row.otherFolders.push_back(folder.str());
}

std::vector<TargetLibrary> rowsOf(llvm::ArrayRef<Weakest> weakest, bool named) {
  std::vector<TargetLibrary> rows(weakest.size());
  Origins origins(named);
  for (auto [row, each] : llvm::zip(rows, weakest))
    fill(row, each, origins);
  return rows;
}

} // namespace cudacc::resolve
