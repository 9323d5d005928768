// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Runtime.h"
#include "driver/tables/lookup/Lookup.h"
#include "driver/tables/lookup/UserTables.h"

namespace cudacc::tables {

static_assert(Pin::nowhere == rows::None);

namespace {

struct Chosen {
  rows::VersionId version = rows::None;
  const Pin *pin = nullptr;
  /// Set if no table has the version.
  llvm::StringRef text;

  bool any() const { return version != rows::None || !text.empty(); }
};

uint16_t indexOf(const Pin &pin) {
  return pin.distIndex == Pin::nowhere ? rows::findDist(pin.dist) : pin.distIndex;
}

/// The selected version of each distribution, by its index.
llvm::SmallVector<Chosen, 0> choose(const ToolkitRelease &floor, llvm::ArrayRef<Pin> pins) {
  llvm::SmallVector<Chosen, 0> chosen(rows::dists().size());
  if (!floor.from)
    for (const rows::ComponentRow &row : rows::componentsOf(floor.index))
      chosen[row.dist].version = row.version;
  else
    for (const auto &[name, version] : floor.from->toolkits[floor.index].components)
      if (uint16_t dist = rows::findDist(name); dist != rows::None)
        chosen[dist].text = version;
  for (const Pin &pin : pins)
    if (uint16_t dist = indexOf(pin); dist != rows::None) {
      chosen[dist].pin = &pin;
      if (pin.floor.empty())
        continue;
      chosen[dist].version = pin.versionIndex;
      chosen[dist].text = pin.floor;
    }
  return chosen;
}

/// A version that is in no table is compared by its number.
bool covers(const rows::LibraryRow &row, const Chosen &chosen) {
  if (chosen.version != rows::None)
    return rows::covers(row, chosen.version);
  auto version = versions::Version::parse(chosen.text);
  return version && rows::covers(row, *version);
}

versions::CudaVersion lineOf(const rows::LibraryRow &row, const Chosen &chosen,
                             const UserTables *more) {
  if (chosen.version != rows::None && !more)
    return rows::lineOf(row.dist, chosen.version);
  auto version = versions::Version::parse(chosen.text);
  return version ? tables::lineOf(chosen.pin->dist, *version, more) : versions::CudaVersion{};
}

RuntimeLibrary libraryOf(const rows::LibraryRow &row, const Chosen &chosen,
                         const ToolkitRelease &floor, const UserTables *more) {
  const Pin *pin = chosen.pin;
  RuntimeLibrary library;
  library.soname = rows::str(row.soname);
  library.dist = rows::str(rows::dists()[row.dist].name);
  library.folder = rows::str(row.folder);
  library.rank = chosen.version;
  library.pinned = pin != nullptr;
  library.bounded = pin && !pin->floor.empty();
  library.version = library.bounded ? pin->floor : rows::versionText(chosen.version);
  if (chosen.version == rows::None)
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
                                             const UserTables *more) {
  auto chosen = choose(floor, pins);
  std::vector<RuntimeLibrary> libraries;
  libraries.reserve(64);
  rows::Text last = rows::None;
  for (const rows::LibraryRow &row : rows::libraries()) {
    if (row.major != floor.major || row.dist == rows::None)
      continue;
    const Chosen &each = chosen[row.dist];
    if (!each.any() || !covers(row, each))
      continue;
    // Two distributions may contain one SONAME (libcufftw.so.12); prefer the one that is required.
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
  auto a = versions::Version::parse(one.version), b = versions::Version::parse(other.version);
  return a && b && *a < *b;
}

} // namespace cudacc::tables
