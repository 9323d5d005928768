#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/core/Version.h"
#include "driver/facts/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <compare>

/// Steps that several look-ups share; not for other rooms.
namespace cudacc::facts::tables {

/// Index of a distribution, or None.
uint16_t findDist(llvm::StringRef name);
std::strong_ordering compare(VersionId id, const core::Version &version);
/// \p version lies in the run of the row, minor of the soname included.
bool covers(const LibraryRow &row, VersionId version);
bool covers(const LibraryRow &row, const core::Version &version);
/// Line of a component version; 0.0 unknown.
core::CudaVersion lineOf(uint16_t dist, VersionId version);
/// The row of a component version, or null.
const WheelRow *findWheel(uint16_t dist, const core::Version &version);
/// The index is that of the distribution; a name that no table has is none.
bool isDist(uint16_t index, llvm::StringRef name);
/// Both ends included. A `.postN` counts as the version without it.
bool contains(VersionId from, VersionId to, const core::Version &version);

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
                 const core::Version &version) {
  const Row *run = nullptr;
  for (const Row &row : runsOf(rows, soname))
    if (isDist(row.dist, dist) && compare(row.from, version) <= 0)
      run = &row;
  return run;
}

} // namespace cudacc::facts::tables
