// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Evidence.h"
#include "driver/core/LibraryFloor.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::report {

/// What is known about a file beside its bytes.
struct Inspected {
  core::BinaryFacts facts;
  std::vector<core::Evidence> evidence;
  std::vector<core::LibraryFloor> floor;
  /// All that it uses of torch's is the stable ABI: the first release that has it (`2.10.0`), empty
  /// where that is not known. Nothing: it uses none of torch's, or more.
  std::optional<std::string> stableTorch = {};
  /// Of a file for every Python from one on: `3.9`; empty: it is none.
  std::string pythonFloor = {};
  /// What it imports beyond the limited API: `PyType_GetName, since 3.11`.
  std::vector<std::string> beyondLimitedApi = {};
  /// Names are listed, not counted.
  bool listsExports = false;
  /// The releases of torch that export what it imports.
  versions::TorchRange torch = {};
};

/// What `cuda-cc inspect` prints about one file; blocks of several files follow each other.
/// \p isNvidia says of a SONAME whether the library is NVIDIA's (facts room).
std::string inspect(const Inspected &file, llvm::function_ref<bool(llvm::StringRef)> isNvidia,
                    Style style = {});

} // namespace cudacc::report
