#include "driver/facts/Runtime.h"
#include "driver/facts/Lookup.h"
#include "driver/facts/Supplement.h"

namespace cudacc::facts {

static_assert(Pin::nowhere == tables::None);

namespace {

struct Chosen {
  tables::VersionId version = tables::None;
  const Pin *pin = nullptr;
  /// Where no table has the version.
  llvm::StringRef text;

  bool any() const { return version != tables::None || !text.empty(); }
};

uint16_t indexOf(const Pin &pin) {
  return pin.distIndex == Pin::nowhere ? tables::findDist(pin.dist) : pin.distIndex;
}

/// The version of every distribution, by its index.
llvm::SmallVector<Chosen, 0> choose(const ToolkitRelease &floor, llvm::ArrayRef<Pin> pins) {
  llvm::SmallVector<Chosen, 0> chosen(tables::dists().size());
  if (!floor.from)
    for (const tables::ComponentRow &row : tables::componentsOf(floor.index))
      chosen[row.dist].version = row.version;
  else
    for (const auto &[name, version] : floor.from->toolkits[floor.index].components)
      if (uint16_t dist = tables::findDist(name); dist != tables::None)
        chosen[dist].text = version;
  for (const Pin &pin : pins)
    if (uint16_t dist = indexOf(pin); dist != tables::None) {
      chosen[dist].pin = &pin;
      if (pin.floor.empty())
        continue;
      chosen[dist].version = pin.versionIndex;
      chosen[dist].text = pin.floor;
    }
  return chosen;
}

/// A version that no table has counts by its number.
bool covers(const tables::LibraryRow &row, const Chosen &chosen) {
  if (chosen.version != tables::None)
    return tables::covers(row, chosen.version);
  auto version = core::Version::parse(chosen.text);
  return version && tables::covers(row, *version);
}

core::CudaVersion lineOf(const tables::LibraryRow &row, const Chosen &chosen,
                         const Supplement *more) {
  if (chosen.version != tables::None && !more)
    return tables::lineOf(row.dist, chosen.version);
  auto version = core::Version::parse(chosen.text);
  return version ? facts::lineOf(chosen.pin->dist, *version, more) : core::CudaVersion{};
}

RuntimeLibrary libraryOf(const tables::LibraryRow &row, const Chosen &chosen,
                         const ToolkitRelease &floor, const Supplement *more) {
  const Pin *pin = chosen.pin;
  RuntimeLibrary library;
  library.soname = tables::str(row.soname);
  library.dist = tables::str(tables::dists()[row.dist].name);
  library.folder = tables::str(row.folder);
  library.rank = chosen.version;
  library.pinned = pin != nullptr;
  library.bounded = pin && !pin->floor.empty();
  library.version = library.bounded ? pin->floor : tables::versionText(chosen.version);
  if (chosen.version == tables::None)
    library.version = chosen.text;
  library.cuda = library.bounded ? lineOf(row, chosen, more) : floor.line();
  if (pin) {
    library.floats = pin->floats;
    library.confidence = pin->confidence;
  }
  return library;
}

} // namespace

std::vector<RuntimeLibrary> runtimeLibraries(const ToolkitRelease &floor, llvm::ArrayRef<Pin> pins,
                                             const Supplement *more) {
  auto chosen = choose(floor, pins);
  std::vector<RuntimeLibrary> libraries;
  libraries.reserve(64);
  tables::Text last = tables::None;
  for (const tables::LibraryRow &row : tables::libraries()) {
    if (row.major != floor.major || row.dist == tables::None)
      continue;
    const Chosen &each = chosen[row.dist];
    if (!each.any() || !covers(row, each))
      continue;
    // Two distributions may bring one soname (libcufftw.so.12); what is required counts.
    if (row.soname == last) {
      if (!each.pin || libraries.back().pinned)
        continue;
      libraries.pop_back();
    }
    last = row.soname;
    libraries.push_back(libraryOf(row, each, floor, more));
  }
  return libraries;
}

bool isOlder(const RuntimeLibrary &one, const RuntimeLibrary &other) {
  if (one.rank != Pin::nowhere && other.rank != Pin::nowhere)
    return one.rank < other.rank;
  auto a = core::Version::parse(one.version), b = core::Version::parse(other.version);
  return a && b && *a < *b;
}

} // namespace cudacc::facts
