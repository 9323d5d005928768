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

/// Steps that several look-ups share; not for other rooms.
namespace cudacc::tables::rows {

/// Index of a distribution, or None.
uint16_t findDist(llvm::StringRef name);
std::strong_ordering compare(VersionId id, const versions::Version &version);
/// \p version lies in the run of the row, minor of the soname included.
bool covers(const LibraryRow &row, VersionId version);
bool covers(const LibraryRow &row, const versions::Version &version);
/// Line of a component version; 0.0 unknown.
versions::CudaVersion lineOf(uint16_t dist, VersionId version);
/// The row of a component version, or null.
const WheelRow *findWheel(uint16_t dist, const versions::Version &version);
/// The index is that of the distribution; a name that no table has is none.
bool isDist(uint16_t index, llvm::StringRef name);
/// Both ends included. A `.postN` counts as the version without it.
bool contains(VersionId from, VersionId to, const versions::Version &version);

/// Those of a user's tables, which the result refers to.
llvm::SmallVector<Pin, 20> pinsOf(llvm::ArrayRef<rows::OwnedPin> pins);

/// The row that has the name in the column by which the table is ordered; null: none.
template <typename Row>
const Row *findRow(llvm::ArrayRef<Row> rows, Text Row::*column, llvm::StringRef name) {
  auto it = llvm::lower_bound(rows, name, [&](const Row &row, llvm::StringRef wanted) {
    return str(row.*column) < wanted;
  });
  return it == rows.end() || str((*it).*column) != name ? nullptr : &*it;
}

/// The rows of a soname, of a table that is ordered by it.
template <typename Row>
llvm::ArrayRef<Row> runsOf(llvm::ArrayRef<Row> rows, llvm::StringRef soname) {
  auto it = llvm::lower_bound(
      rows, soname, [](const Row &row, llvm::StringRef name) { return str(row.soname) < name; });
  auto end =
      std::find_if(it, rows.end(), [&](const Row &row) { return str(row.soname) != soname; });
  return {it, end};
}

/// The last run that begins no later than \p version, of a table that is ordered by soname,
/// distribution and first version; or null.
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
