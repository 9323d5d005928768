// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/rows/Readers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::rows {

using llvm::StringRef;

namespace {

class ToolkitReader {
public:
  ToolkitReader(const Known &known, ReleaseTables &out)
      : known(known), out(out), builtIn(known.toolkits()) {}
  void readRelease(const Row &row);
  void readWheels(const Row &row);

private:
  void readWheel(const Row &row, const Value &entry, StringRef dist, bool isComponent);
  void addVersion(const Row &row, StringRef dist, const versions::Version &version,
                  const Number &of);
  Dist &distOf(StringRef name);
  bool isComponent(StringRef dist) const;
  StringRef componentOf(const Number &release, StringRef dist) const;

  const Known &known;
  ReleaseTables &out;
  std::vector<Number> builtIn;
  /// Versions that replace a component's version.
  std::map<std::pair<Number, StringRef>, StringRef> overrides;
  std::set<StringRef> seen;
};

} // namespace

Dist &ToolkitReader::distOf(StringRef name) {
  auto it = out.dists.find(name);
  if (it == out.dists.end())
    it = out.dists.emplace(name, Dist{known.numberingOf(name)}).first;
  return it->second;
}

void ToolkitReader::addVersion(const Row &row, StringRef dist, const versions::Version &version,
                               const Number &of) {
  Dist &owner = distOf(dist);
  owner.releases[version].insert(of);
  bool isMinor = version.release.size() > 1 && version.at(0) == of[0] && version.at(1) == of[1];
  row.require(isMinor || owner.numbering != Numbering::RuledMinor,
              "{} {} does not begin with the minor of CUDA {}", dist, version, str(of));
  if (!isMinor)
    owner.numbering = Numbering::Own;
  else if (owner.numbering == Numbering::Unknown)
    owner.numbering = Numbering::ShownMinor;
}

void ToolkitReader::readRelease(const Row &row) {
  Number number = row.asNumber(row.text("ctk"));
  auto components = row.textMap("components"), instead = row.textMap("wheel_overrides");
  if (!row.good())
    return;
  for (const auto &[dist, text] : instead)
    overrides[{number, dist}] = text;
  // A built-in release may be repeated, in part or in full.
  if (llvm::is_contained(builtIn, number)) {
    for (const auto &[dist, text] : components) {
      StringRef has = known.component(number, dist);
      row.compare(fmt::format("CUDA {} is built in with another {}", str(number), dist),
                  row.asVersion(text).str(), has.empty() ? "none" : has.str());
    }
    return;
  }
  row.require(!out.findToolkit(number), "CUDA {} appears twice", str(number));
  row.require(!components.empty(), "no components");
  Toolkit &toolkit = out.toolkits.emplace_back(Toolkit{number, {}});
  for (const auto &[dist, text] : components) {
    versions::Version version = row.asVersion(text);
    toolkit.components.emplace_back(dist.str(), version.str());
    if (row.good())
      addVersion(row, dist, version, number);
  }
}

StringRef ToolkitReader::componentOf(const Number &release, StringRef dist) const {
  const Toolkit *toolkit = out.findToolkit(release);
  if (!toolkit)
    return known.component(release, dist);
  for (const auto &[name, version] : toolkit->components)
    if (name == dist)
      return version;
  return {};
}

/// The metapackage has the toolkit's version but is not a component of it.
bool ToolkitReader::isComponent(StringRef dist) const {
  auto hasIt = [&](const Number &each) { return !componentOf(each, dist).empty(); };
  return llvm::any_of(out.toolkits, [&](const Toolkit &each) { return hasIt(each.number); }) ||
         llvm::any_of(builtIn, hasIt);
}

/// Whether a wheel's version agrees with the component's. The components are those of x86-64, while
/// some have wheels for aarch64 only. A wheel may be a `.postN` of the component.
static bool agrees(const Row &row, versions::Version version, StringRef component,
                   StringRef instead) {
  if (component.empty() || row.asVersion(component) == version || instead == version.str())
    return true;
  version.post.reset();
  return row.asVersion(component) == version;
}

/// An entry has six columns; the first two are the version and the releases that contain it.
void ToolkitReader::readWheel(const Row &row, const Value &entry, StringRef dist,
                              bool isComponent) {
  if (!row.require(entry.isList() && entry.items.size() == 6,
                   "a version does not have six columns"))
    return;
  versions::Version version = row.asVersion(row.asText(entry.items[0]));
  const Value &releases = entry.items[1];
  if (!row.good())
    return;
  distOf(dist).wheels.insert(version);
  if (releases.isNull())
    return;
  if (!row.require(releases.isList(), "the releases of {} are not a list", version))
    return;
  for (StringRef text : row.asTexts(releases)) {
    Number release = row.asNumber(text);
    bool isBuiltIn = llvm::is_contained(builtIn, release);
    if (!row.require(isBuiltIn || out.findToolkit(release), "the toolkit release {} has no row",
                     text))
      return;
    if (known.has(release, dist, version) || !isComponent)
      continue;
    StringRef component = componentOf(release, dist);
    auto instead = overrides.find({release, dist});
    bool fits = agrees(row, version, component, instead == overrides.end() ? "" : instead->second);
    if (!fits && isBuiltIn)
      return row.contradict(fmt::format("CUDA {} is built in with another {}", text, dist),
                            version.str(), component.str());
    row.require(fits, "{} is not the {} that {} has in ctk_component_versions", version, dist,
                text);
    addVersion(row, dist, version, release);
  }
}

void ToolkitReader::readWheels(const Row &row) {
  StringRef dist = row.text("dist");
  row.require(seen.insert(dist).second, "{} appears twice", dist);
  if (!row.good())
    return;
  bool component = isComponent(dist);
  for (const Value &entry : row.array("versions"))
    readWheel(row, entry, dist, component);
}

void readToolkits(TableRows rows, const Known &known, ReleaseTables &out) {
  ToolkitReader reader(known, out);
  // Overrides and names refer to the rows, so keep these alive.
  auto releases = rows("ctk_component_versions"), wheels = rows("nvidia_wheel_versions");
  for (const Row &row : releases)
    reader.readRelease(row);
  llvm::sort(out.toolkits, [](const auto &a, const auto &b) { return a.number < b.number; });
  for (const Row &row : wheels)
    reader.readWheels(row);
}

} // namespace cudacc::tables::rows
