// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/tables/lookup/Coupling.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

namespace {

/// Whether there is a path; splits it.
bool readPath(const Row &row, StringRef key, llvm::SmallVectorImpl<StringRef> &path) {
  if (row.value(key).isNull())
    return false;
  row.asText(row.value(key)).split(path, ':');
  return true;
}

rows::Run<LibraryShape> readShape(const Row &row, Model &model) {
  rows::Run<LibraryShape> run;
  LibraryShape &shape = run.row;
  run.soname = row.text("soname");
  run.dist = row.text("dist");
  requireDist(row, model, run.dist);
  run.from = model.keep(row.asVersion(row.text("from_version")).str());
  run.to = model.keep(row.asVersion(row.text("to_version")).str());
  const support::Value &node = row.value("version_node");
  if (node.isList())
    llvm::append_range(shape.nodes, row.texts("version_node"));
  else if (!node.isNull())
    shape.nodes = {row.asText(node)};
  llvm::append_range(shape.needed, row.texts("nvidia_needed"));
  llvm::append_range(shape.dlopens, row.texts("dlopens"));
  shape.hasRunpath = readPath(row, "runpath", shape.runpath);
  shape.hasRpath = readPath(row, "rpath", shape.rpath);
  return run;
}

/// Versions of a distribution in which a library was read, ascending.
std::vector<StringRef> opened(const Model &model, StringRef soname, StringRef dist) {
  std::vector<StringRef> all;
  for (const Model::SymbolLibrary &library : model.symbolLibraries)
    for (const Model::SymbolVersion &version : library.versions)
      if (version.soname == soname && version.dist == dist)
        all.push_back(version.version);
  return all;
}

/// Reads the versions that lack a name as ranges of the versions that were read. `"..."` between
/// two versions of the list stands for all versions between them.
void readGaps(const Row &row, const Model &model, Coupling &floor) {
  std::vector<StringRef> versions = opened(model, floor.soname, floor.dist);
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

rows::Run<Coupling> readFloor(const Row &row, Model &model) {
  rows::Run<Coupling> run;
  Coupling &floor = run.row;
  run.soname = row.text("library");
  run.dist = row.text("dist");
  auto [first, last] = versionsOf(row, "dist_version");
  run.from = model.keep(first.str());
  run.to = model.keep(last.str());
  floor.soname = row.text("needs_library");
  floor.dist = row.textOrNull("needs_dist");
  for (StringRef dist : {run.dist, floor.dist})
    if (!dist.empty())
      requireDist(row, model, dist);
  if (StringRef least = row.textOrNull("min_version"); !least.empty())
    floor.minVersion = model.keep(row.asVersion(least).str());
  floor.reach =
      row.choice<Reach>("how", {{"NEEDED", Reach::Needed}, {"dlopen string", Reach::Dlopen}});
  floor.confidence = row.confidence();
  floor.sameWheel = row.flag("same_wheel");
  floor.oldestOpened = row.flag("min_is_oldest_opened");
  llvm::append_range(floor.deciding, row.texts("deciding"));
  llvm::append_range(floor.missingLater, row.texts("not_in_later_symbols"));
  readGaps(row, model, floor);
  if (floor.reach == Reach::Needed)
    for (const rows::Run<LibraryShape> &shape : model.shapes)
      if (shape.soname == run.soname && shape.dist == run.dist) {
        versions::Version version = row.asVersion(shape.from);
        row.require(version < first || version > last ||
                        llvm::is_contained(shape.row.needed, floor.soname),
                    "versioned_symbols has no NEEDED {} for {}", floor.soname, shape.from);
      }
  return run;
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
