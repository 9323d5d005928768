// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Pins.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/CudaVersion.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cudacc::tables {

/// One library of a runtime, joined from the tables of toolkits and wheels and what a framework
/// pins.
struct RuntimeLibrary {
  llvm::StringRef soname, dist, version, folder;
  /// Place of the version in the order of PEP 440 among the versions of the tables; Pin::nowhere:
  /// none of them. See isOlder().
  uint16_t rank = 0;
  /// Line of that version; 0.0 for parts that no toolkit numbers.
  versions::CudaVersion cuda;
  /// A framework requires it; where that has a bound, the version is that one's.
  bool pinned = false;
  bool bounded = false;
  bool floats = false;
  Confidence confidence = Confidence::Verified;
};

/// The libraries that \p floor has, each replaced by what \p pins require (none: a toolkit alone),
/// and the libraries that only the pins require. By soname, each once. Refers to the pins' texts.
std::vector<RuntimeLibrary> runtimeLibraries(const ToolkitRelease &floor, llvm::ArrayRef<Pin> pins,
                                             const UserTables *more = nullptr);

/// By version, whatever tables it stands in.
bool isOlder(const RuntimeLibrary &one, const RuntimeLibrary &other);

} // namespace cudacc::tables
