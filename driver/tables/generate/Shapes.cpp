// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/Coupling.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

std::optional<std::string> pathOf(const Row &row, StringRef key) {
  if (row.value(key).isNull())
    return std::nullopt;
  return row.asText(row.value(key)).str();
}

Model::Shape readShape(const Row &row, const Model &model) {
  Model::Shape shape;
  shape.soname = row.text("soname").str();
  shape.dist = row.text("dist").str();
  requireDist(row, model, shape.dist);
  shape.from = row.asVersion(row.text("from_version")).str();
  shape.to = row.asVersion(row.text("to_version")).str();
  const support::Value &node = row.value("version_node");
  if (node.isList())
    shape.nodes = row.strings("version_node");
  else if (!node.isNull())
    shape.nodes = {row.asText(node).str()};
  shape.needed = row.strings("nvidia_needed");
  shape.dlopens = row.strings("dlopens");
  shape.runpath = pathOf(row, "runpath");
  shape.rpath = pathOf(row, "rpath");
  return shape;
}

/// Versions of a distribution in which a library was read, ascending.
std::vector<std::string> opened(const Model &model, StringRef soname, StringRef dist) {
  std::vector<std::string> all;
  for (const Model::SymbolLibrary &library : model.symbolLibraries)
    for (const Model::SymbolVersion &version : library.versions)
      if (version.soname == soname && version.dist == dist)
        all.push_back(version.version);
  return all;
}

/// Reads the versions that lack a name as ranges of the versions that were read. `"..."` between
/// two versions of the list stands for all versions between them.
void readGaps(const Row &row, const Model &model, Model::Floor &floor) {
  std::vector<std::string> versions = opened(model, floor.needs, floor.needsDist);
  auto place = [&](StringRef version) {
    auto it = llvm::find(versions, row.asVersion(version).str());
    row.require(it != versions.end(), "not_in_later has {}, which was not opened", version);
    return size_t(it - versions.begin());
  };
  bool between = false;
  size_t last = versions.size();
  for (StringRef text : row.texts("not_in_later")) {
    if (text == "...") {
      row.require(!floor.notInLater.empty(), "not_in_later begins with ...");
      between = true;
      continue;
    }
    size_t here = place(text);
    row.require(last == versions.size() || here > last, "not_in_later falls at {}", text);
    if (between || here == last + 1)
      floor.notInLater.back().second = versions[here];
    else
      floor.notInLater.emplace_back(versions[here], versions[here]);
    between = false;
    last = here;
  }
  row.require(!between, "not_in_later ends with ...");
}

Model::Floor readFloor(const Row &row, const Model &model) {
  Model::Floor floor;
  floor.soname = row.text("library").str();
  floor.dist = row.text("dist").str();
  auto [first, last] = versionsOf(row, "dist_version");
  floor.from = first.str();
  floor.to = last.str();
  floor.needs = row.text("needs_library").str();
  floor.needsDist = row.textOrNull("needs_dist").str();
  for (const std::string &dist : {floor.dist, floor.needsDist})
    if (!dist.empty())
      requireDist(row, model, dist);
  StringRef least = row.textOrNull("min_version");
  if (!least.empty())
    floor.least = row.asVersion(least).str();
  floor.reach = uint8_t(
      row.choice<Reach>("how", {{"NEEDED", Reach::Needed}, {"dlopen string", Reach::Dlopen}}));
  floor.confidence = uint8_t(row.confidence());
  floor.sameWheel = row.flag("same_wheel");
  floor.oldestOpened = row.flag("min_is_oldest_opened");
  floor.deciding = row.strings("deciding");
  floor.missingLater = row.strings("not_in_later_symbols");
  readGaps(row, model, floor);
  if (Reach(floor.reach) == Reach::Needed)
    for (const Model::Shape &shape : model.shapes)
      if (shape.soname == floor.soname && shape.dist == floor.dist) {
        versions::Version version = row.asVersion(shape.from);
        row.require(version < first || version > last ||
                        llvm::is_contained(shape.needed, floor.needs),
                    "versioned_symbols has no NEEDED {} for {}", floor.needs, shape.from);
      }
  return floor;
}

} // namespace

void readShapes(Input &input, Model &model) {
  for (const Row &row : input.rows("versioned_symbols"))
    model.shapes.push_back(readShape(row, model));
  sortRuns(model.shapes);
}

void readFloors(Input &input, Model &model) {
  for (const Row &row : input.rows("coupling"))
    model.floors.push_back(readFloor(row, model));
  sortRuns(model.floors);
}

} // namespace cudacc::tables::generate
