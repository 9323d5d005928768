#include "driver/policy/Resolve.h"
#include "driver/facts/Drivers.h"
#include "driver/facts/Runtime.h"
#include "driver/policy/EnvironmentErrors.h"
#include "driver/policy/Machines.h"
#include "driver/policy/ResolveEnvironment.h"
#include "driver/policy/ResolveErrors.h"
#include "driver/policy/ResolveLock.h"
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

/// The release or range of torch, as declared.
std::string torchOf(llvm::ArrayRef<Wish> wishes, const Worlds &worlds) {
  if (worlds.size() == 1 && worlds.front().torch)
    return worlds.front().torch->str() +
           (worlds.front().tagged ? "+" + worlds.front().build.tag.str() : "");
  for (const Wish &wish : wishes)
    if (wish.form == Form::Torch)
      return llvm::StringRef(wish.setting->value).trim().drop_front(5).trim().str();
  return {};
}

llvm::Error resolveTables(llvm::ArrayRef<Wish> wishes, Target &target) {
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
  target.line = llvm::min_element(worlds, [](const World &a, const World &b) {
                  return a.line < b.line;
                })->line;
  target.release = releaseOf(worlds);
  target.driverFloor = facts::driverFloor(major).str();
  target.torch = torchOf(wishes, worlds);
  auto weakest = weakestOf(worlds, named);
  Origins origins(named);
  target.libraries.resize(weakest.size());
  for (auto [row, each] : llvm::zip(target.libraries, weakest))
    fill(row, each, origins);
  return llvm::Error::success();
}

/// What the environment is for somebody who does not have it: its torch where the tables know that
/// build, else its line.
std::string portable(const Target &target) {
  auto version = Version::parse(target.torch);
  if (!version)
    return "cuda==" + target.line.str();
  Wish wish;
  Specifier clause;
  clause.version = *version;
  wish.form = Form::Torch;
  wish.specifiers.clauses.push_back(clause);
  Worlds worlds = worldsOf(wish);
  if (worlds.size() != 1 || worlds.front().line != target.line)
    return "cuda==" + target.line.str();
  return "torch==" + (worlds.front().build.isDefault ? worlds.front().torch->str() : target.torch);
}

/// The wishes about runtimes, those about machines left out.
llvm::SmallVector<Wish, 2> runtimesOf(llvm::ArrayRef<Wish> wishes) {
  llvm::SmallVector<Wish, 2> runtimes;
  llvm::copy_if(wishes, std::back_inserter(runtimes),
                [](const Wish &wish) { return wish.isRuntime(); });
  return runtimes;
}

llvm::Error declaredBy(const Wish &place, llvm::Error error) {
  Finding finding = takeFinding(std::move(error));
  finding.origin = place.setting->origin.str();
  finding.facts.insert(finding.facts.begin(), {"declared", place.describe()});
  return fail(std::move(finding));
}

/// A place without CUDA says nothing about it where a `cuda` requirement does.
bool onlyCudaBeside(llvm::ArrayRef<Wish> wishes) {
  bool cuda = llvm::any_of(wishes, [](const Wish &wish) { return wish.form == Form::Cuda; });
  return cuda && llvm::none_of(wishes, [](const Wish &wish) { return wish.form == Form::Torch; });
}

llvm::SmallVector<Wish, 2> withoutPlaces(llvm::ArrayRef<Wish> wishes) {
  llvm::SmallVector<Wish, 2> others;
  llvm::copy_if(wishes, std::back_inserter(others),
                [](const Wish &wish) { return !wish.isPlace(); });
  return others;
}

llvm::Error resolveInstalled(llvm::ArrayRef<Wish> wishes, const Wish &env, EnvironmentReader read,
                             Target &target) {
  auto environment = read(env.path);
  if (!environment)
    return declaredBy(env, environment.takeError());
  if (hasCuda(*environment) || !onlyCudaBeside(wishes))
    return resolveEnvironment(wishes, env, *environment, target);
  return resolveTables(withoutPlaces(wishes), target);
}

llvm::Error resolveLocked(llvm::ArrayRef<Wish> wishes, const Wish &place, LockReader read,
                          Target &target) {
  auto lock = read(place.path);
  if (!lock)
    return declaredBy(place, lock.takeError());
  if (hasCuda(*lock) || !onlyCudaBeside(wishes))
    return resolveLock(wishes, place, *lock, target);
  return resolveTables(withoutPlaces(wishes), target);
}
} // namespace

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read,
                               LockReader readLock) {
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
  llvm::SmallVector<Wish, 2> runtimes = runtimesOf(wishes);
  if (runtimes.empty())
    return onlyMachines(wishes);
  target.declared = true;
  target.declaredAs = declaration.runtime;
  const Wish *place = llvm::find_if(runtimes, [](const Wish &wish) { return wish.isPlace(); });
  for (const Wish &wish : runtimes)
    if (wish.isPlace() && (wish.form != place->form || wish.path != place->path))
      return severalEnvironments(runtimes);
  llvm::Error error = place == runtimes.end() ? resolveTables(runtimes, target)
                      : place->form == Form::Lock
                          ? resolveLocked(runtimes, *place, readLock, target)
                          : resolveInstalled(runtimes, *place, read, target);
  if (error)
    return error;
  if (llvm::Error machines = addMachines(wishes, target))
    return machines;
  for (const Wish &wish : wishes)
    target.portableAs.push_back(wish.isPlace() ? portable(target)
                                               : llvm::StringRef(wish.setting->value).trim().str());
  return target;
}

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read) {
  return resolve(declaration, read, [](llvm::StringRef) -> llvm::Expected<LockReading> {
    return fail(Code::BadRequirement, "a lock cannot be read here");
  });
}

llvm::Expected<Target> resolve(const Declaration &declaration) {
  return resolve(declaration, [](llvm::StringRef) -> llvm::Expected<PythonEnvironment> {
    return fail(Code::BadRequirement, "an environment cannot be read here");
  });
}

} // namespace cudacc::policy
