// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/user/BuiltInTables.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using rows::Number;

namespace {

Number numberOf(const rows::ReleaseRow &row) { return {row.major, row.minor, row.patch}; }

std::optional<Number> toolkitAt(uint16_t release) {
  if (release == rows::None)
    return std::nullopt;
  return numberOf(rows::releases()[release]);
}

class BuiltInTables : public rows::Known {
public:
  std::vector<Number> toolkits() const override {
    std::vector<Number> all;
    for (const rows::ReleaseRow &row : rows::releases())
      all.push_back(numberOf(row));
    return all;
  }

  StringRef component(const Number &toolkit, StringRef dist) const override {
    auto release = findToolkitRelease(toolkit[0], toolkit[1], toolkit[2]);
    return release ? componentVersion(*release, dist) : "";
  }

  bool hasDist(StringRef dist) const override { return rows::findDist(dist) != rows::None; }

  bool has(const Number &toolkit, StringRef dist, const versions::Version &version) const override {
    auto isIt = [&](const ToolkitRelease &each) {
      return each.number() == std::tuple(toolkit[0], toolkit[1], toolkit[2]);
    };
    return llvm::any_of(releasesOf(dist, version), isIt);
  }

  std::optional<versions::Version> oldestWheel(StringRef dist, const versions::Version &least,
                                               const versions::SpecifierSet &set) const override {
    uint16_t index = rows::findDist(dist);
    if (index == rows::None)
      return std::nullopt;
    auto wheels = rows::list(rows::dists()[index].wheels);
    auto it =
        llvm::lower_bound(wheels, least, [](rows::VersionId id, const versions::Version &wanted) {
          return rows::compare(id, wanted) < 0;
        });
    for (; it != wheels.end(); ++it)
      if (auto version = versions::Version::parse(rows::versionText(*it)); set.contains(*version))
        return version;
    return std::nullopt;
  }

  rows::Numbering numberingOf(StringRef dist) const override {
    uint16_t index = rows::findDist(dist);
    return index == rows::None ? rows::Numbering::Unknown
                               : rows::Numbering(rows::dists()[index].numbering);
  }

  std::vector<rows::Torch> torchOf(versions::CudaVersion minor) const override {
    std::vector<rows::Torch> all;
    for (auto [index, row] : llvm::enumerate(rows::torchReleases())) {
      if (row.major != minor.major || row.minor != minor.minor)
        continue;
      rows::Torch &torch = all.emplace_back();
      torch.number = {row.major, row.minor, row.patch};
      torch.withoutCuda = rows::str(row.withoutCuda).str();
      auto lines = rows::linesOf(index);
      torch.defaultLine = {lines[row.defaultLine].major, lines[row.defaultLine].minor};
      for (const rows::TorchLineRow &line : lines)
        torch.lines.push_back({{line.major, line.minor},
                               rows::str(line.tag).str(),
                               toolkitAt(line.release),
                               line.pinSet});
    }
    return all;
  }

  size_t pinSetCount() const override { return rows::pinSets().size(); }

  std::vector<rows::OwnedPin> pins(uint16_t pinSet) const override {
    std::vector<rows::OwnedPin> all;
    for (const rows::PinRow &row : rows::pinsOf(pinSet))
      all.push_back({rows::str(rows::dists()[row.dist].name).str(),
                     rows::versionText(row.floor).str(),
                     {},
                     row.floats != 0,
                     PinKind(row.kind),
                     Confidence(row.confidence)});
    return all;
  }

  /// Fills only the fields that a repeated row is compared with.
  std::optional<rows::Framework> framework(StringRef name, unsigned major,
                                           const versions::Version &release) const override {
    auto isIt = [&](StringRef text) { return versions::Version::parse(text) == release; };
    for (auto [index, row] : llvm::enumerate(rows::frameworks())) {
      if (rows::str(row.framework) != name || row.major != major)
        continue;
      auto read = rows::list(row.read);
      if (read.empty() ? !isIt(rows::str(row.first))
                       : llvm::none_of(read, [&](uint16_t text) { return isIt(rows::str(text)); }))
        continue;
      rows::Framework run;
      run.torch = rows::str(row.torch).str();
      run.from = {row.major, row.fromMinor};
      run.to = {row.major, row.toMinor};
      for (const rows::FrameworkPinRow &pin : rows::pinsOfFramework(index))
        run.pins.push_back(
            {rows::str(rows::dists()[pin.dist].name).str(), {}, rows::str(pin.spec).str()});
      return run;
    }
    return std::nullopt;
  }

  bool isFramework(StringRef name, unsigned major) const override {
    return llvm::any_of(rows::frameworkNames(), [&](const rows::FrameworkNameRow &row) {
      return rows::str(row.framework) == name && (!row.major || row.major == major);
    });
  }

  bool bringsLibrary(StringRef dist) const override {
    uint16_t index = rows::findDist(dist);
    return index != rows::None && !rows::list(rows::dists()[index].wheels).empty() &&
           llvm::any_of(rows::libraries(), [&](const auto &row) { return row.dist == index; });
  }
};

/// The built-in tables and rows that were added before.
class KnownTables : public BuiltInTables {
public:
  explicit KnownTables(const UserTables &more) : more(more) {}

  std::vector<Number> toolkits() const override {
    std::vector<Number> all = BuiltInTables::toolkits();
    for (const rows::Toolkit &each : more.toolkits)
      all.push_back(each.number);
    return all;
  }
  StringRef component(const Number &toolkit, StringRef dist) const override {
    if (const rows::Toolkit *added = more.findToolkit(toolkit))
      for (const auto &[name, version] : added->components)
        if (name == dist)
          return version;
    return BuiltInTables::component(toolkit, dist);
  }
  bool hasDist(StringRef dist) const override {
    return more.dists.count(dist) || BuiltInTables::hasDist(dist);
  }
  bool has(const Number &toolkit, StringRef dist, const versions::Version &version) const override {
    const auto *releases = more.releasesOf(dist, version);
    return (releases && releases->count(toolkit)) || BuiltInTables::has(toolkit, dist, version);
  }
  std::optional<versions::Version> oldestWheel(StringRef dist, const versions::Version &least,
                                               const versions::SpecifierSet &set) const override {
    auto oldest = BuiltInTables::oldestWheel(dist, least, set);
    if (auto added = more.dists.find(dist); added != more.dists.end())
      for (const versions::Version &each : added->second.wheels)
        if (each >= least && set.contains(each) && !(oldest && *oldest < each))
          return each;
    return oldest;
  }
  rows::Numbering numberingOf(StringRef dist) const override {
    auto added = more.dists.find(dist);
    return added == more.dists.end() ? BuiltInTables::numberingOf(dist) : added->second.numbering;
  }
  std::vector<rows::Torch> torchOf(versions::CudaVersion minor) const override {
    std::vector<rows::Torch> all;
    for (const rows::Torch &each : more.torch)
      if (each.number[0] == minor.major && each.number[1] == minor.minor)
        all.push_back(each);
    return all.empty() ? BuiltInTables::torchOf(minor) : all;
  }
  size_t pinSetCount() const override { return BuiltInTables::pinSetCount() + more.pinSets.size(); }
  std::vector<rows::OwnedPin> pins(uint16_t pinSet) const override {
    size_t builtIn = BuiltInTables::pinSetCount();
    return pinSet < builtIn ? BuiltInTables::pins(pinSet) : more.pinSets[pinSet - builtIn].pins;
  }
  std::optional<rows::Framework> framework(StringRef name, unsigned major,
                                           const versions::Version &release) const override {
    auto isIt = [&](StringRef text) { return versions::Version::parse(text) == release; };
    for (const rows::Framework &run : more.frameworks)
      if (run.name == name && run.major == major &&
          (run.read.empty() ? isIt(run.first) : llvm::any_of(run.read, isIt)))
        return run;
    return BuiltInTables::framework(name, major, release);
  }

private:
  const UserTables &more;
};

} // namespace

std::unique_ptr<rows::Known> builtInTables(const UserTables *more) {
  if (more)
    return std::make_unique<KnownTables>(*more);
  return std::make_unique<BuiltInTables>();
}

} // namespace cudacc::tables
