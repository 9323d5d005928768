// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <compare>

/// Helpers shared by the look-ups; private to this library.
namespace cudacc::tables::rows {

/// Index of a distribution, or None.
uint16_t findDist(llvm::StringRef name);
std::strong_ordering compare(llvm::StringRef text, const versions::Version &version);
inline std::strong_ordering compare(VersionId id, const versions::Version &version) {
  return compare(versionText(id), version);
}
/// Whether \p version lies in the row's range and, if required, has the minor of the SONAME.
bool covers(const LibraryRow &row, VersionId version);
bool covers(const LibraryRow &row, const versions::Version &version);
/// CUDA line of a component version; 0.0 if unknown.
versions::CudaVersion lineOf(uint16_t dist, VersionId version);
/// The row of a component version. Null if there is none.
const WheelRow *findWheel(uint16_t dist, const versions::Version &version);
/// Both ends are included. A `.postN` counts as the version without it.
bool contains(llvm::StringRef from, llvm::StringRef to, const versions::Version &version);

/// Pins that refer to the strings of \p pins, which belong to user tables.
llvm::SmallVector<Pin, 20> pinsOf(llvm::ArrayRef<rows::OwnedPin> pins);
llvm::SmallVector<Pin, 20> pinsOf(llvm::ArrayRef<PinRow> pins);

/// The row with that name in the column by which the table is sorted. Null if there is none.
template <typename Row>
const Row *findRow(llvm::ArrayRef<Row> rows, Text Row::*column, llvm::StringRef name) {
  auto it = llvm::lower_bound(rows, name, [&](const Row &row, llvm::StringRef wanted) {
    return str(row.*column) < wanted;
  });
  return it == rows.end() || str((*it).*column) != name ? nullptr : &*it;
}

} // namespace cudacc::tables::rows
