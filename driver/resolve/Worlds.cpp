#include "driver/resolve/Worlds.h"
#include "driver/resolve/FrameworkWorlds.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

std::string World::describe() const {
  if (torch)
    return fmt::format("torch {}{}", number(),
                       framework.empty() ? "" : fmt::format(", which {} requires", framework));
  return framework.empty() ? "CUDA " + number() : framework;
}

std::string World::number() const {
  if (torch)
    return tagged ? fmt::format("{}+{}", *torch, build.tag) : torch->str();
  return !framework.empty() ? release : toolkit ? toolkit->str() : line.str();
}

bool namesRelease(const Wish &wish) {
  return wish.form == Form::Cuda && llvm::any_of(wish.specifiers.clauses, [](const auto &clause) {
           return clause.version.release.size() > 2;
         });
}

const tables::UserTables *moreOf(llvm::ArrayRef<Wish> wishes) {
  return wishes.empty() ? nullptr : wishes.front().more;
}

StringRef tagOf(const Wish &wish) {
  if (wish.form == Form::Torch)
    for (const Specifier &clause : wish.specifiers.clauses)
      if (clause.op != Specifier::Op::NotEqual && !clause.version.local.empty())
        return clause.version.local.front();
  return {};
}

static Version versionOf(const tables::ToolkitRelease &release) {
  Version version;
  version.release = {release.major, release.minor, release.patch};
  return version;
}

static Version versionOf(CudaVersion line) {
  Version version;
  version.release = {line.major, line.minor};
  return version;
}

static bool satisfies(const World &world, const Wish &wish) {
  return wish.form != Form::Cuda ||
         wish.specifiers.contains(world.toolkit && namesRelease(wish) ? versionOf(*world.toolkit)
                                                                      : versionOf(world.line));
}

namespace {

/// A declared framework that torch has to suit.
struct Requirer {
  const Wish *wish = nullptr;
  std::vector<FrameworkRelease> releases;
};

} // namespace

/// False where no release of the framework allows this torch.
static bool require(World &world, const Requirer &requirer, const Version &version, bool named) {
  auto release = requirerOf(requirer.releases, version);
  if (!release)
    return false;
  if (!named)
    world.framework = describe(*requirer.wish, *release);
  if (release->extrapolated && !named)
    for (tables::Pin &pin : world.pins)
      pin.confidence = std::max(pin.confidence, tables::Confidence::Secondary);
  return true;
}

static Worlds torchWorlds(llvm::ArrayRef<Wish> wishes) {
  StringRef tag;
  bool named = false;
  llvm::SmallVector<Requirer, 0> requirers;
  for (const Wish &wish : wishes) {
    if (StringRef wanted = tagOf(wish); !wanted.empty())
      tag = wanted;
    named |= wish.form == Form::Torch;
    if (wish.form == Form::Framework)
      requirers.push_back({&wish, releasesOf(wish)});
  }
  Worlds worlds;
  Version version;
  if (!tag.empty())
    version.local.push_back(tag.str());
  for (const tables::TorchRelease &release : tables::torchReleases(moreOf(wishes))) {
    version.release = {release.major, release.minor, release.patch};
    if (llvm::any_of(wishes, [&](const Wish &wish) {
          return wish.form == Form::Torch && !wish.specifiers.contains(version);
        }))
      continue;
    World world;
    world.torch = release;
    world.tagged = !tag.empty();
    auto lines = tables::torchLines(release);
    auto line = llvm::find_if(lines, [&](const tables::TorchLine &each) {
      return tag.empty() ? each.isDefault : each.tag == tag;
    });
    if (line == lines.end())
      continue;
    world.build = *line;
    world.line = world.newest = line->cuda;
    world.toolkit = line->toolkit;
    auto pins = tables::torchPins(*line);
    world.pins.append(pins.begin(), pins.end());
    if (llvm::all_of(requirers, [&](const Requirer &requirer) {
          return require(world, requirer, version, named);
        }))
      worlds.push_back(std::move(world));
  }
  return worlds;
}

static Worlds cudaWorlds(llvm::ArrayRef<Wish> wishes) {
  Worlds worlds;
  if (llvm::any_of(wishes, namesRelease)) {
    for (const tables::ToolkitRelease &release : tables::toolkitReleases(moreOf(wishes))) {
      World &world = worlds.emplace_back();
      world.line = world.newest = release.line();
      world.toolkit = release;
    }
    return worlds;
  }
  auto lines = tables::toolkitLines(moreOf(wishes));
  worlds.reserve(lines.size());
  for (CudaVersion line : lines) {
    World &world = worlds.emplace_back();
    world.line = world.newest = line;
  }
  return worlds;
}

/// Takes the line and release that CUDA was declared as: whatever floats is as new as they are.
/// False where the framework does not allow that.
static bool raise(World &world, const World &chosen) {
  auto floor = chosen.toolkit ? chosen.toolkit : tables::firstRelease(chosen.line, chosen.more);
  bool allowed = true;
  llvm::erase_if(world.pins, [&](const tables::Pin &pin) {
    auto has = Version::parse(tables::componentVersion(*floor, pin.dist));
    auto least = Version::parse(pin.floor);
    if (!pin.floats || !has || (least && *has < *least))
      return false;
    auto set = SpecifierSet::parse(pin.spec);
    allowed &= !set || set->contains(*has);
    return true;
  });
  world.line = world.newest = chosen.line;
  world.toolkit = chosen.toolkit;
  world.toolkitFloats = false;
  return allowed;
}

/// Of the lines that the framework allows the oldest that is known and satisfies every wish.
static bool chooseLine(World &world, llvm::ArrayRef<Wish> wishes, const Worlds &lines) {
  if (world.line == world.newest)
    return llvm::all_of(wishes, [&](const Wish &wish) { return satisfies(world, wish); });
  if (llvm::none_of(wishes, [](const Wish &wish) { return wish.form == Form::Cuda; }))
    return tables::firstRelease(world.line, moreOf(wishes)).has_value();
  for (const World &each : lines)
    if (each.line >= world.line && each.line <= world.newest &&
        llvm::all_of(wishes, [&](const Wish &wish) { return satisfies(each, wish); }))
      return raise(world, each);
  return false;
}

Worlds worldsOf(llvm::ArrayRef<Wish> wishes) {
  bool torch = false, framework = false;
  for (const Wish &wish : wishes) {
    torch |= wish.form == Form::Torch || isThroughTorch(wish);
    framework |= wish.form == Form::Framework;
  }
  Worlds worlds = torch       ? torchWorlds(wishes)
                  : framework ? frameworkWorlds(wishes)
                              : cudaWorlds(wishes);
  Worlds lines = framework && !torch ? cudaWorlds(wishes) : Worlds{};
  for (Worlds *each : {&worlds, &lines})
    for (World &world : *each)
      world.more = moreOf(wishes);
  llvm::erase_if(worlds, [&](World &world) { return !chooseLine(world, wishes, lines); });
  return worlds;
}

} // namespace cudacc::resolve
