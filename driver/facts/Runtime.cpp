#include "driver/facts/Runtime.h"
#include "driver/facts/Lookup.h"

namespace cudacc::facts {

namespace {

struct Chosen {
  tables::VersionId version = tables::None;
  const tables::PinRow *pin = nullptr;
};

/// The version of every distribution, by its index.
llvm::SmallVector<Chosen, 0> choose(const ToolkitRelease &floor, const TorchLine *line) {
  llvm::SmallVector<Chosen, 0> chosen(tables::dists().size());
  for (const tables::ComponentRow &row : tables::componentsOf(floor.index))
    chosen[row.dist].version = row.version;
  uint16_t set = line ? tables::torchLine(line->index).pinSet : tables::None;
  if (set != tables::None)
    for (const tables::PinRow &row : tables::pinsOf(set))
      chosen[row.dist] = {row.floor, &row};
  return chosen;
}

} // namespace

std::vector<RuntimeLibrary> runtimeLibraries(const ToolkitRelease &floor, const TorchLine *line) {
  auto chosen = choose(floor, line);
  std::vector<RuntimeLibrary> libraries;
  libraries.reserve(64);
  tables::Text last = tables::None;
  for (const tables::LibraryRow &row : tables::libraries()) {
    if (row.major != floor.major || row.dist == tables::None)
      continue;
    auto [version, pin] = chosen[row.dist];
    if (version == tables::None || !tables::covers(row, version))
      continue;
    // Two distributions may bring one soname (libcufftw.so.12); what is required counts.
    if (row.soname == last) {
      if (!pin || libraries.back().pinned)
        continue;
      libraries.pop_back();
    }
    last = row.soname;
    RuntimeLibrary &library = libraries.emplace_back();
    library.soname = tables::str(row.soname);
    library.dist = tables::str(tables::dists()[row.dist].name);
    library.version = tables::versionText(version);
    library.folder = tables::str(row.folder);
    library.rank = version;
    library.cuda = pin ? tables::lineOf(row.dist, version) : floor.line();
    library.pinned = pin != nullptr;
    if (pin) {
      library.floats = pin->floats != 0;
      library.confidence = Confidence(pin->confidence);
    }
  }
  return libraries;
}

} // namespace cudacc::facts
