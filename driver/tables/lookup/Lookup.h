// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/tables/lookup/Tables.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <compare>

/// Helpers shared by the look-ups; private to this library.
namespace cudacc::tables::rows {

/// Index of a distribution, or None.
uint16_t findDist(llvm::StringRef name);
std::strong_ordering compare(VersionId id, const versions::Version &version);
/// Whether \p version lies in the row's range and, if required, has the minor of the SONAME.
bool covers(const LibraryRow &row, VersionId version);
bool covers(const LibraryRow &row, const versions::Version &version);
/// CUDA line of a component version; 0.0 if unknown.
versions::CudaVersion lineOf(uint16_t dist, VersionId version);
/// The row of a component version. Null if there is none.
const WheelRow *findWheel(uint16_t dist, const versions::Version &version);
/// Whether \p index is that of the distribution. False if no table has the name.
bool isDist(uint16_t index, llvm::StringRef name);
/// Both ends are included. A `.postN` counts as the version without it.
bool contains(VersionId from, VersionId to, const versions::Version &version);

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

/// The rows of a SONAME in a table that is sorted by it.
template <typename Row>
llvm::ArrayRef<Row> runsOf(llvm::ArrayRef<Row> rows, llvm::StringRef soname) {
  auto it = llvm::lower_bound(
      rows, soname, [](const Row &row, llvm::StringRef name) { return str(row.soname) < name; });
  auto end =
      std::find_if(it, rows.end(), [&](const Row &row) { return str(row.soname) != soname; });
  return {it, end};
}

/// The last run that begins at or before \p version, in a table sorted by SONAME, distribution and
/// first version. Null if there is none.
template <typename Row>
const Row *runOf(llvm::ArrayRef<Row> rows, llvm::StringRef soname, llvm::StringRef dist,
                 const versions::Version &version) {
  const Row *run = nullptr;
  for (const Row &row : runsOf(rows, soname))
    if (isDist(row.dist, dist) && compare(row.from, version) <= 0)
      run = &row;
  return run;
}

} // namespace cudacc::tables::rows
