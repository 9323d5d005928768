#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/core/Version.h"
#include "driver/facts/Tables.h"
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

} // namespace cudacc::facts::tables
