#include "driver/tables/user/BuiltInTables.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/Torch.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using rows::Number;

static Number numberOf(const rows::ReleaseRow &row) { return {row.major, row.minor, row.patch}; }

static std::optional<Number> toolkitAt(uint16_t release) {
  if (release == rows::None)
    return std::nullopt;
  return numberOf(rows::releases()[release]);
}

std::vector<Number> BuiltInTables::toolkits() const {
  std::vector<Number> all;
  for (const rows::ReleaseRow &row : rows::releases())
    all.push_back(numberOf(row));
  return all;
}

StringRef BuiltInTables::component(const Number &toolkit, StringRef dist) const {
  auto release = findToolkitRelease(toolkit[0], toolkit[1], toolkit[2]);
  return release ? componentVersion(*release, dist) : "";
}

bool BuiltInTables::hasDist(StringRef dist) const { return rows::findDist(dist) != rows::None; }

bool BuiltInTables::has(const Number &toolkit, StringRef dist,
                        const versions::Version &version) const {
  auto isIt = [&](const ToolkitRelease &each) {
    return each.number() == std::tuple(toolkit[0], toolkit[1], toolkit[2]);
  };
  return llvm::any_of(releasesOf(dist, version), isIt);
}

std::optional<versions::Version>
BuiltInTables::oldestWheel(StringRef dist, const versions::Version &least,
                           const versions::SpecifierSet &set) const {
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

rows::Numbering BuiltInTables::numberingOf(StringRef dist) const {
  uint16_t index = rows::findDist(dist);
  return index == rows::None ? rows::Numbering::Unknown
                             : rows::Numbering(rows::dists()[index].numbering);
}

std::vector<rows::Torch> BuiltInTables::torchOf(versions::CudaVersion minor) const {
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

size_t BuiltInTables::pinSetCount() const { return rows::pinSets().size(); }

std::vector<rows::OwnedPin> BuiltInTables::pins(uint16_t pinSet) const {
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

/// Only what a row that says the same is compared with.
std::optional<rows::Framework> BuiltInTables::framework(StringRef name, unsigned major,
                                                        const versions::Version &release) const {
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

bool BuiltInTables::isFramework(StringRef name, unsigned major) const {
  return llvm::any_of(rows::frameworkNames(), [&](const rows::FrameworkNameRow &row) {
    return rows::str(row.framework) == name && (!row.major || row.major == major);
  });
}

bool BuiltInTables::bringsLibrary(StringRef dist) const {
  uint16_t index = rows::findDist(dist);
  return index != rows::None && !rows::list(rows::dists()[index].wheels).empty() &&
         llvm::any_of(rows::libraries(), [&](const auto &row) { return row.dist == index; });
}

} // namespace cudacc::tables
