// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Tables.h"
#include "driver/tables/lookup/TextTable.h"

namespace cudacc::tables::rows {

namespace data {
#include "driver/tables/Tables.inc"
} // namespace data

llvm::StringRef str(Text text) {
  if (text == None)
    return {};
  const char *place = data::pool + text * TextUnit;
  return {place + 1, static_cast<unsigned char>(*place)};
}

llvm::StringRef versionText(VersionId version) {
  return version == None ? llvm::StringRef() : str(data::versions[version]);
}

llvm::ArrayRef<ReleaseRow> releases() { return llvm::ArrayRef(data::releases).drop_back(); }
llvm::ArrayRef<DistRow> dists() { return data::dists; }
llvm::ArrayRef<WheelRow> wheels() { return data::wheels; }
llvm::ArrayRef<uint8_t> releaseLists() { return data::releaseLists; }
llvm::ArrayRef<PinSetRow> pinSets() { return llvm::ArrayRef(data::pinSets).drop_back(); }
llvm::ArrayRef<LibraryRow> libraries() { return data::libraries; }
llvm::ArrayRef<StemRow> stems() { return data::stems; }
llvm::ArrayRef<SymbolLibraryRow> symbolLibraries() { return data::symbolLibraries; }
llvm::ArrayRef<SymbolVersionRow> symbolVersions() { return data::symbolVersions; }
llvm::ArrayRef<SymbolSliceRow> symbolSlices() { return data::symbolSlices; }
llvm::ArrayRef<DriverNameRow> driverNames() { return data::driverNames; }
llvm::ArrayRef<uint32_t> symbolBlocks() { return data::symbolBlocks; }
size_t symbolNameCount() { return data::symbolNameCount; }

/// Without the terminating zero of the literal.
template <size_t N> static llvm::StringRef bytes(const char (&literal)[N]) {
  return {literal, N - 1};
}
llvm::StringRef symbolNames() { return bytes(data::symbolNames); }
llvm::StringRef symbolEntries() { return bytes(data::symbolEntries); }
llvm::StringRef symbolLists() { return bytes(data::symbolLists); }
llvm::StringRef tableText(llvm::StringRef name) {
  return llvm::find_if(data::texts, [&](const auto &each) { return each.first == name; })->second;
}
llvm::StringRef dataRelease() { return data::dataRelease; }

llvm::ArrayRef<uint16_t> list(List list) {
  return llvm::ArrayRef(data::lists).slice(list + 1, data::lists[list]);
}

/// The rows from \p first of \p owner up to those of the next owner.
template <typename Row, typename Owner>
static llvm::ArrayRef<Row> owned(llvm::ArrayRef<Row> rows, const Owner *owner,
                                 uint16_t Owner::*first) {
  return rows.slice(owner->*first, owner[1].*first - owner->*first);
}

llvm::ArrayRef<ComponentRow> componentsOf(size_t release) {
  return owned<ComponentRow>(data::components, &data::releases[release],
                             &ReleaseRow::firstComponent);
}
llvm::ArrayRef<PinRow> pinRowsOf(size_t pinSet) {
  return owned<PinRow>(data::pins, &data::pinSets[pinSet], &PinSetRow::firstPin);
}

} // namespace cudacc::tables::rows
