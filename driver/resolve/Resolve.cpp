#include "driver/resolve/Resolve.h"
#include "driver/resolve/EnvironmentErrors.h"
#include "driver/resolve/FrameworkErrors.h"
#include "driver/resolve/Machines.h"
#include "driver/resolve/ResolveErrors.h"
#include "driver/resolve/ResolvePlace.h"
#include "driver/resolve/Together.h"
#include "driver/resolve/Weakest.h"
#include "driver/tables/lookup/Drivers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;

namespace {

/// The oldest toolkit release behind the worlds; empty when one of them has none that is known.
std::string releaseOf(const Worlds &worlds) {
  const tables::ToolkitRelease *oldest = nullptr;
  for (const World &world : worlds) {
    if (!world.toolkit)
      return {};
    if (!oldest || world.toolkit->number() < oldest->number())
      oldest = &*world.toolkit;
    if (world.isCuda())
      break;
  }
  return oldest->str();
}

/// The release or range of torch, as declared, or as another framework requires it.
std::string torchOf(llvm::ArrayRef<Wish> wishes, const Worlds &worlds) {
  if (!worlds.front().torch)
    return {};
  if (worlds.size() == 1)
    return worlds.front().number();
  for (const Wish &wish : wishes)
    if (wish.form == Form::Torch)
      return llvm::StringRef(wish.setting->value).trim().drop_front(5).trim().str();
  return fmt::format(">={},<={}", worlds.front().number(), worlds.back().number());
}

/// The releases of torch among the worlds, ascending.
std::vector<std::string> torchReleasesOf(const Worlds &worlds) {
  std::vector<std::string> releases;
  for (const World &world : worlds)
    if (world.torch && !llvm::is_contained(releases, world.torch->str()))
      releases.push_back(world.torch->str());
  return releases;
}

/// The worlds of each declared framework, those that go with the others.
llvm::Expected<std::vector<Side>> worldsOfSides(llvm::ArrayRef<Wish> wishes) {
  std::vector<Side> sides = sidesOf(wishes);
  for (Side &side : sides) {
    side.worlds = worldsOf(side.wishes);
    if (!side.worlds.empty())
      continue;
    for (const Wish &wish : side.wishes)
      if (worldsOf(wish).empty())
        return unknownRelease(wish);
    return contradiction(side.wishes);
  }
  if (sides.size() > 1)
    if (auto reason = agree(sides))
      return doNotFit(wishes, std::move(*reason));
  for (const Side &side : sides) {
    unsigned major = side.worlds.front().line.major;
    if (llvm::any_of(side.worlds, [&](const World &each) { return each.line.major != major; }))
      return spansMajors(side.wishes, side.worlds);
  }
  return sides;
}

llvm::Error resolveTables(llvm::ArrayRef<Wish> wishes, Target &target) {
  auto sides = worldsOfSides(wishes);
  if (!sides)
    return sides.takeError();
  bool named = llvm::any_of(wishes, namesRelease);
  std::vector<Weakest> weakest;
  for (const Side &side : *sides) {
    CudaVersion line = llvm::min_element(side.worlds, [](const World &a, const World &b) {
                         return a.line < b.line;
                       })->line;
    if (!target.line.known() || line < target.line)
      target.line = line;
    if (target.release.empty())
      target.release = releaseOf(side.worlds);
    if (target.torch.empty()) {
      target.torch = torchOf(side.wishes, side.worlds);
      target.torchReleases = torchReleasesOf(side.worlds);
    }
    auto own = weakestOf(side.worlds, named);
    weakest = weakest.empty() ? std::move(own) : together(std::move(weakest), std::move(own));
  }
  target.driverFloor = tables::driverFloor(target.line.major).str();
  target.libraries = rowsOf(weakest, named);
  return llvm::Error::success();
}

/// What the environment is for somebody who does not have it: its torch where the tables know that
/// build, else its line.
std::string portable(const Target &target, const tables::UserTables *more) {
  auto version = Version::parse(target.torch);
  if (!version)
    return fmt::format("cuda=={}", target.line);
  Wish wish;
  Specifier clause;
  clause.version = *version;
  wish.form = Form::Torch;
  wish.more = more;
  wish.specifiers.clauses.push_back(clause);
  Worlds worlds = worldsOf(wish);
  if (worlds.size() != 1 || worlds.front().line != target.line)
    return fmt::format("cuda=={}", target.line);
  return "torch==" + (worlds.front().build.isDefault ? worlds.front().torch->str() : target.torch);
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
  return cuda && llvm::none_of(wishes, [](const Wish &wish) { return wish.isFramework(); });
}

template <typename Reader>
llvm::Error resolveWith(Reader read, llvm::ArrayRef<Wish> wishes, const Wish &place,
                        Target &target) {
  auto found = read(place.path);
  if (!found)
    return declaredBy(place, found.takeError());
  if (hasCuda(*found) || !onlyCudaBeside(wishes))
    return resolvePlace(wishes, place, *found, target);
  return resolveTables(llvm::to_vector<2>(llvm::make_filter_range(
                           wishes, [](const Wish &wish) { return !wish.isPlace(); })),
                       target);
}

} // namespace

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read,
                               LockReader readLock, const tables::UserTables *more) {
  Target target;
  target.enforce = declaration.enforce.value;
  if (!declaration.declared())
    return target;
  llvm::SmallVector<Wish, 2> wishes;
  for (const Setting<std::string> &setting : declaration.runtime) {
    auto wish = readWish(setting);
    if (!wish)
      return wish.takeError();
    wish->more = more;
    wishes.push_back(std::move(*wish));
  }
  auto runtimes = llvm::to_vector<2>(
      llvm::make_filter_range(wishes, [](const Wish &wish) { return wish.isRuntime(); }));
  if (runtimes.empty())
    return onlyMachines(wishes);
  target.declared = true;
  target.declaredAs = declaration.runtime;
  const Wish *place = llvm::find_if(runtimes, [](const Wish &wish) { return wish.isPlace(); });
  for (const Wish &wish : runtimes)
    if (wish.isPlace() && (wish.form != place->form || wish.path != place->path))
      return severalEnvironments(runtimes);
  llvm::Error error = place == runtimes.end()     ? resolveTables(runtimes, target)
                      : place->form == Form::Lock ? resolveWith(readLock, runtimes, *place, target)
                                                  : resolveWith(read, runtimes, *place, target);
  if (error)
    return error;
  if (llvm::Error machines = addMachines(wishes, target))
    return machines;
  for (const Wish &wish : wishes)
    target.portableAs.push_back(wish.isPlace() ? portable(target, more)
                                               : llvm::StringRef(wish.setting->value).trim().str());
  return target;
}

llvm::Expected<Target> resolve(const Declaration &declaration, EnvironmentReader read,
                               const tables::UserTables *more) {
  return resolve(
      declaration, read,
      [](llvm::StringRef) -> llvm::Expected<LockReading> {
        return fail(Code::BadRequirement, "a lock cannot be read here");
      },
      more);
}

llvm::Expected<Target> resolve(const Declaration &declaration, const tables::UserTables *more) {
  return resolve(
      declaration,
      [](llvm::StringRef) -> llvm::Expected<PythonEnvironment> {
        return fail(Code::BadRequirement, "an environment cannot be read here");
      },
      more);
}

} // namespace cudacc::resolve
