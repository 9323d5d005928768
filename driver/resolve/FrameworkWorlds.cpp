#include "driver/resolve/FrameworkWorlds.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::resolve {

using namespace core;
using namespace versions;
using llvm::StringRef;

static Version versionOf(StringRef text) { return Version::parse(text).value_or(Version{}); }

/// The version that the wish names exactly, where it names one.
static std::optional<Version> exactly(const Wish &wish) {
  for (const Specifier &clause : wish.specifiers.clauses)
    if (clause.op == Specifier::Op::Equal && !clause.prefix &&
        wish.specifiers.contains(clause.version))
      return clause.version;
  return std::nullopt;
}

static StringRef lastOf(const tables::FrameworkRun &run) {
  return run.read.empty() ? run.first : run.read.back();
}

/// A release that was not read counts as those before it, up to the newest that was; which CUDA
/// major it has is not known where the next ones have another.
static std::vector<FrameworkRelease> between(llvm::ArrayRef<tables::FrameworkRun> runs,
                                             const Version &version) {
  std::vector<FrameworkRelease> found;
  if (runs.empty() || version < versionOf(runs.front().first) ||
      version > versionOf(lastOf(runs.back())))
    return found;
  const tables::FrameworkRun *next = llvm::find_if(
      runs, [&](const tables::FrameworkRun &run) { return versionOf(run.first) > version; });
  Version first = versionOf(next[-1].first);
  for (const tables::FrameworkRun &run : llvm::ArrayRef(runs.begin(), next))
    if (versionOf(run.first) == first)
      found.push_back({run, version.str(), true});
  bool inside = version < versionOf(lastOf(next[-1]));
  bool same = next != runs.end() && next->major == next[-1].major;
  return inside || same ? found : std::vector<FrameworkRelease>{};
}

std::vector<FrameworkRelease> releasesOf(const Wish &wish) {
  std::vector<FrameworkRelease> found;
  auto runs = tables::frameworkRuns(wish.framework, wish.more);
  for (const tables::FrameworkRun &run : runs) {
    for (StringRef text : run.read)
      if (wish.specifiers.contains(versionOf(text)))
        found.push_back({run, text.str(), false});
    if (run.read.empty() && wish.specifiers.contains(versionOf(run.first)))
      found.push_back({run, run.first.str(), false});
  }
  if (auto version = exactly(wish); found.empty() && version)
    return between(runs, *version);
  return found;
}

bool isThroughTorch(const Wish &wish) {
  return wish.form == Form::Framework &&
         llvm::any_of(tables::frameworkRuns(wish.framework, wish.more),
                      [](const tables::FrameworkRun &run) { return !run.torch.empty(); });
}

std::string describe(const Wish &wish, const FrameworkRelease &release) {
  return fmt::format("{} {}", wish.framework.name, release.text);
}

std::optional<FrameworkRelease> requirerOf(llvm::ArrayRef<FrameworkRelease> releases,
                                           const Version &torch) {
  for (const FrameworkRelease &release : releases)
    if (auto set = SpecifierSet::parse(release.run.torch);
        release.run.tells && set && set->contains(torch))
      return release;
  return std::nullopt;
}

static World worldOf(const Wish &wish, const FrameworkRelease &release) {
  const tables::FrameworkRun &run = release.run;
  World world;
  world.line = run.from;
  world.newest = run.to;
  if (run.kind == tables::FrameworkPins::Exact)
    world.toolkit = run.toolkit;
  world.framework = describe(wish, release);
  world.release = release.text;
  world.toolkitFloats = run.toolkitFloats;
  auto pins = tables::frameworkPins(run);
  world.pins.append(pins.begin(), pins.end());
  world.extrapolated = release.extrapolated;
  if (release.extrapolated)
    for (tables::Pin &pin : world.pins)
      pin.confidence = std::max(pin.confidence, tables::Confidence::Secondary);
  return world;
}

static bool allows(const Wish &wish, const FrameworkRelease &release) {
  return wish.form != Form::Framework ||
         ((!wish.framework.major || wish.framework.major == release.run.major) &&
          wish.specifiers.contains(versionOf(release.text)));
}

Worlds frameworkWorlds(llvm::ArrayRef<Wish> wishes) {
  Worlds worlds;
  for (const Wish &wish : wishes) {
    if (wish.form != Form::Framework)
      continue;
    for (const FrameworkRelease &release : releasesOf(wish)) {
      bool wanted = llvm::all_of(wishes, [&](const Wish &other) { return allows(other, release); });
      if (wanted && release.run.tells)
        worlds.push_back(worldOf(wish, release));
    }
    if (!worlds.empty())
      break;
  }
  return worlds;
}

} // namespace cudacc::resolve
