// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/generate/Model.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;

static bool known(const Model &model, StringRef soname) {
  return llvm::any_of(model.libraries, [&](const auto &each) { return each.soname == soname; });
}

static void addNeed(Model::Coupling &run, StringRef soname, Reach reach) {
  for (const auto &[name, how] : run.needs)
    if (name == soname)
      return;
  run.needs.emplace_back(soname.str(), uint8_t(reach));
}

/// Reads a row of versioned_symbols; the dynamic section is the same for its range of versions.
static void readRun(const Row &row, Model &model) {
  Model::Coupling run;
  run.soname = row.text("soname").str();
  run.dist = row.text("dist").str();
  versions::Version from = row.asVersion(row.text("from_version"));
  run.from = from.str();
  row.require(from <= row.asVersion(row.text("to_version")), "the run ends before it begins");
  requireDist(row, model, run.dist);
  for (StringRef needed : row.texts("nvidia_needed"))
    addNeed(run, needed, Reach::Needed);
  // A name without version number is no SONAME, so nothing can need it (LS-5).
  for (StringRef opened : row.texts("dlopens"))
    if (known(model, opened))
      addNeed(run, opened, Reach::Dlopen);
  model.couplings.push_back(std::move(run));
}

/// Merges a row of coupling into the runs it covers. Only this table has symbols that are imported
/// without DT_NEEDED; both tables must agree on DT_NEEDED.
static void mergeImports(const Row &row, Model &model) {
  StringRef how = row.text("how");
  if (how == "dlopen string")
    return;
  bool symbol = how == "undefined symbol, not NEEDED";
  row.require(symbol || how == "NEEDED", "unknown how \"{}\"", how);
  StringRef library = row.text("library"), dist = row.text("dist");
  auto [from, to] = versionsOf(row, "dist_version");
  for (Model::Coupling &run : model.couplings) {
    if (run.soname != library || run.dist != dist)
      continue;
    versions::Version version = row.asVersion(run.from);
    if (version < from || version > to)
      continue;
    StringRef needs = row.text("needs_library");
    bool there = llvm::any_of(run.needs, [&](const auto &need) { return need.first == needs; });
    row.require(there || symbol, "versioned_symbols has no NEEDED {} for {}", needs, run.from);
    if (!there)
      addNeed(run, needs, Reach::Symbol);
  }
}

void readCoupling(Input &input, Model &model) {
  for (const Row &row : input.rows("versioned_symbols"))
    readRun(row, model);
  for (const Row &row : input.rows("coupling"))
    mergeImports(row, model);
  sortRuns(model.couplings);
  // Drop runs with the same needs as the one before, and a first run without needs.
  std::vector<Model::Coupling> kept;
  for (Model::Coupling &run : model.couplings) {
    bool sameLibrary =
        !kept.empty() && kept.back().soname == run.soname && kept.back().dist == run.dist;
    if (sameLibrary ? kept.back().needs != run.needs : !run.needs.empty())
      kept.push_back(std::move(run));
  }
  model.couplings = std::move(kept);
}

} // namespace cudacc::tables::generate
