#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/user/SupplementRow.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::supplement {

using llvm::StringRef;

bool isKnownDist(StringRef dist, const Supplement &out) {
  auto hasIt = [&](const auto &each) { return each.first == dist; };
  return rows::findDist(dist) != rows::None ||
         llvm::any_of(out.wheels, [&](const auto &wheel) { return wheel.dist == dist; }) ||
         llvm::any_of(out.toolkits,
                      [&](const auto &each) { return llvm::any_of(each.components, hasIt); });
}

static std::optional<ToolkitRelease> builtIn(const Number &number) {
  return findToolkitRelease(number[0], number[1], number[2]);
}

static void addWheel(StringRef dist, const versions::Version &version, const Number &release,
                     Supplement &out) {
  auto it = llvm::find_if(out.wheels, [&](const auto &wheel) {
    return wheel.dist == dist && wheel.version == version;
  });
  if (it == out.wheels.end())
    it = out.wheels.insert(it, {dist.str(), version, {}});
  if (!llvm::is_contained(it->releases, release))
    it->releases.push_back(release);
}

/// A release that is built in may be said again, in part or whole.
static void compare(const Row &row, const ToolkitRelease &release) {
  for (const auto &[dist, text] : row.map("components")) {
    StringRef has = componentVersion(release, dist);
    if (row.asVersion(text).str() == has)
      continue;
    row.contradict("CUDA " + release.str() + " is built in with other components",
                   (dist + " " + text).str(),
                   (has.empty() ? "no " + dist : dist + " " + has).str());
  }
}

static void readRelease(const Row &row, Supplement &out) {
  Number number = row.asNumber(row.text("ctk"));
  row.map("wheel_overrides");
  if (!row.good())
    return;
  if (auto release = builtIn(number))
    return compare(row, *release);
  bool isNew = llvm::none_of(out.toolkits, [&](const auto &each) { return each.number == number; });
  row.require(isNew, "CUDA " + str(number) + " is there twice");
  auto components = row.map("components");
  row.require(!components.empty(), "no components");
  Supplement::Toolkit toolkit{number, {}};
  for (const auto &[dist, text] : components) {
    versions::Version version = row.asVersion(text);
    toolkit.components.emplace_back(dist.str(), version.str());
    if (row.good())
      addWheel(dist, version, number, out);
  }
  out.toolkits.push_back(std::move(toolkit));
}

/// What the release has of the distribution; empty: no such component.
static StringRef componentOf(const Number &release, StringRef dist, const Supplement &out) {
  if (auto known = builtIn(release))
    return componentVersion(*known, dist);
  for (const Supplement::Toolkit &toolkit : out.toolkits)
    if (toolkit.number == release)
      for (const auto &[name, version] : toolkit.components)
        if (name == dist)
          return version;
  return {};
}

/// The components are those of x86-64, and a wheel may be one of its `.postN`; some wheels stand in
/// for others.
static bool agrees(const Row &row, versions::Version version, StringRef component,
                   StringRef wanted) {
  if (component.empty() || row.asVersion(component) == version || wanted == version.str())
    return true;
  version.post.reset();
  return row.asVersion(component) == version;
}

/// The metapackage is numbered as the toolkit is and is no component of it.
static bool isComponent(StringRef dist, const Supplement &out) {
  auto hasIt = [&](const auto &each) { return each.first == dist; };
  return llvm::any_of(
             toolkitReleases(),
             [&](const ToolkitRelease &each) { return !componentVersion(each, dist).empty(); }) ||
         llvm::any_of(out.toolkits,
                      [&](const auto &each) { return llvm::any_of(each.components, hasIt); });
}

using Overrides = std::vector<std::tuple<Number, StringRef, StringRef>>;

static void readVersion(const Row &row, const llvm::json::Value &entry, StringRef dist,
                        const Overrides &overrides, Supplement &out) {
  const llvm::json::Array *columns = entry.getAsArray();
  if (!row.require(columns && columns->size() == 6, "a version does not have six columns"))
    return;
  versions::Version version = row.asVersion(row.asText((*columns)[0]));
  const llvm::json::Value &releases = (*columns)[1];
  if (!row.good() || releases.kind() == llvm::json::Value::Null)
    return;
  if (!row.require(releases.getAsArray(), "the releases of " + version.str() + " are no list"))
    return;
  for (const llvm::json::Value &each : *releases.getAsArray()) {
    Number release = row.asNumber(row.asText(each));
    bool added =
        llvm::any_of(out.toolkits, [&](const auto &toolkit) { return toolkit.number == release; });
    if (!row.require(added || builtIn(release),
                     "the toolkit release " + str(release) + " has no row"))
      return;
    StringRef component = componentOf(release, dist, out), wanted;
    for (const auto &[number, name, text] : overrides)
      if (number == release && name == dist)
        wanted = text;
    if (!agrees(row, version, component, wanted)) {
      if (builtIn(release))
        return row.contradict("CUDA " + str(release) + " is built in with another " + dist,
                              version.str(), component.str());
      row.require(false, version.str() + " is not the " + dist + " that " + str(release) +
                             " has in ctk_component_versions");
    }
    addWheel(dist, version, release, out);
  }
}

void readToolkits(const Tables &tables, Supplement &out) {
  auto releases = tables.rows("ctk_component_versions");
  for (const Row &row : releases)
    readRelease(row, out);
  llvm::sort(out.toolkits, [](const auto &a, const auto &b) { return a.number < b.number; });
  Overrides overrides;
  for (const Row &row : releases)
    for (const auto &[dist, text] : row.map("wheel_overrides"))
      overrides.emplace_back(row.asNumber(row.text("ctk")), dist, text);
  std::vector<std::string> seen;
  for (const Row &row : tables.rows("nvidia_wheel_versions")) {
    StringRef dist = row.text("dist");
    row.require(!llvm::is_contained(seen, dist), dist + " is there twice");
    seen.push_back(dist.str());
    if (row.good() && !isKnownDist(dist, out))
      out.wheels.push_back({dist.str(), {}, {}});
    if (row.good() && isComponent(dist, out))
      for (const llvm::json::Value &entry : row.array("versions"))
        readVersion(row, entry, dist, overrides, out);
  }
  for (Supplement::Wheel &wheel : out.wheels)
    llvm::sort(wheel.releases);
}

} // namespace cudacc::tables::supplement
