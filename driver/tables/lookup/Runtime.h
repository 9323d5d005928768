// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::tables {

/// One library of a runtime, combined from the tables of toolkits and wheels and a framework's
/// pins.
struct RuntimeLibrary {
  llvm::StringRef soname, dist, version, folder;
  /// Position of the version among all versions in the tables, in PEP 440 order. Pin::nowhere if it
  /// is not in them. See isOlder().
  uint16_t rank = 0;
  /// CUDA line of that version; 0.0 for libraries that do not follow the toolkit's versions.
  versions::CudaVersion cuda;
  /// A framework requires it. `bounded`: the requirement has a bound, which determines the version.
  bool pinned = false;
  bool bounded = false;
  bool floats = false;
  Confidence confidence = Confidence::Verified;
};

/// The libraries of toolkit \p floor, replaced where \p pins require another version, and those
/// that only \p pins require. Without pins: the toolkit alone. Sorted by SONAME, without
/// duplicates. The result refers to the strings of the pins.
std::vector<RuntimeLibrary> runtimeLibraries(const ToolkitRelease &floor, llvm::ArrayRef<Pin> pins,
                                             const UserTables *more = nullptr);

/// Compares versions, even if they come from different tables.
bool isOlder(const RuntimeLibrary &one, const RuntimeLibrary &other);

} // namespace cudacc::tables
