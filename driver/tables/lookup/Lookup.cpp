// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Lookup.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::rows {

using rows::Numbering;
using versions::CudaVersion;

uint16_t findDist(llvm::StringRef name) {
  const DistRow *row = findRow(dists(), &DistRow::name, name);
  return row ? uint16_t(row - dists().begin()) : None;
}

/// Compares dotted numbers with a release without constructing a Version. std::nullopt if this is
/// not conclusive. What follows the release matters only if the numbers are equal.
static std::optional<std::strong_ordering> compareNumbers(llvm::StringRef text,
                                                          const versions::Version &version) {
  const char *at = text.begin();
  for (size_t index = 0; at != text.end() || index < version.release.size(); ++index) {
    uint64_t number = 0;
    const char *begin = at;
    for (; at != text.end() && llvm::isDigit(*at); ++at)
      number = number * 10 + unsigned(*at - '0');
    bool separated = at == text.end() || *at == '.';
    if (!separated || (at == begin && at != text.end()))
      return std::nullopt;
    if (auto order = number <=> version.at(index); order != 0)
      return order;
    at += at != text.end();
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compare(llvm::StringRef text, const versions::Version &version) {
  bool plain =
      !version.epoch && !version.preKind && !version.post && !version.dev && version.local.empty();
  if (plain)
    if (auto order = compareNumbers(text, version))
      return *order;
  return *versions::Version::parse(text) <=> version;
}

llvm::SmallVector<Pin, 20> pinsOf(llvm::ArrayRef<rows::OwnedPin> pins) {
  llvm::SmallVector<Pin, 20> all;
  for (const rows::OwnedPin &pin : pins)
    all.push_back({pin.dist, pin.floor, pin.floats, pin.kind, pin.confidence, pin.spec,
                   findDist(pin.dist), Pin::nowhere});
  return all;
}

llvm::SmallVector<Pin, 20> pinsOf(llvm::ArrayRef<PinRow> pins) {
  llvm::SmallVector<Pin, 20> all;
  for (const PinRow &row : pins)
    all.push_back({str(dists()[row.dist].name),
                   versionText(row.floor),
                   row.floats != 0,
                   PinKind(row.kind),
                   Confidence(row.confidence),
                   {},
                   row.dist,
                   row.floor});
  return all;
}

bool contains(llvm::StringRef from, llvm::StringRef to, const versions::Version &version) {
  if (compare(from, version) > 0)
    return false;
  if (!version.post)
    return compare(to, version) >= 0;
  versions::Version base = version;
  base.post.reset();
  return compare(to, version) >= 0 || compare(to, base) >= 0;
}

/// The minor at the end of a SONAME: 12.4 for libnvrtc-builtins.so.12.4.
static CudaVersion minorOf(llvm::StringRef soname) {
  return CudaVersion::parse(soname.substr(soname.find(".so.") + 4)).value_or(CudaVersion{});
}

bool covers(const LibraryRow &row, VersionId version) {
  if (row.ownMinor)
    return CudaVersion::parse(versionText(version)) == minorOf(str(row.soname));
  return (row.from == None || row.from <= version) && (row.last == None || version <= row.last);
}

bool covers(const LibraryRow &row, const versions::Version &version) {
  if (row.ownMinor)
    return CudaVersion{unsigned(version.at(0)), unsigned(version.at(1))} ==
           minorOf(str(row.soname));
  return (row.from == None || compare(row.from, version) <= 0) &&
         (row.last == None || compare(row.last, version) >= 0);
}

static CudaVersion lineOf(const WheelRow &row) {
  const ReleaseRow &first = releases()[releaseLists()[row.firstRelease]];
  return {first.major, first.minor};
}

CudaVersion lineOf(uint16_t dist, VersionId version) {
  if (startsWithMinor(Numbering(dists()[dist].numbering)))
    return CudaVersion::parse(versionText(version)).value_or(CudaVersion{});
  auto rows = wheels();
  auto key = std::pair(dist, version);
  auto it = llvm::lower_bound(rows, key, [](const WheelRow &row, const auto &wanted) {
    return std::pair(row.dist, row.version) < wanted;
  });
  bool found = it != rows.end() && std::pair(it->dist, it->version) == key;
  return found ? lineOf(*it) : CudaVersion{};
}

const WheelRow *findWheel(uint16_t dist, const versions::Version &version) {
  auto rows = wheels();
  auto it = llvm::lower_bound(rows, version, [&](const WheelRow &row, const auto &wanted) {
    return row.dist != dist ? row.dist < dist : compare(row.version, wanted) < 0;
  });
  if (it != rows.end() && it->dist == dist && compare(it->version, version) == 0)
    return &*it;
  if (!version.post)
    return nullptr;
  versions::Version base = version;
  base.post.reset();
  return findWheel(dist, base);
}

} // namespace cudacc::tables::rows
