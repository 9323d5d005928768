// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Evidence.h"
#include "driver/core/LibraryFloor.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/TorchRange.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::report {

/// A file's contents and what is derived from them.
struct Inspected {
  core::BinaryFacts facts;
  std::vector<core::Evidence> evidence;
  std::vector<core::LibraryFloor> floor;
  /// If it uses only the stable ABI of torch: the first release that has it (`2.10.0`), empty if
  /// not known. std::nullopt if it uses no torch symbols or others, too.
  std::optional<std::string> stableTorch = {};
  /// For an abi3 file the minimum Python version: `3.9`. Empty for other files.
  std::string pythonFloor = {};
  /// Imports beyond the limited API: `PyType_GetName, since 3.11`.
  std::vector<std::string> beyondLimitedApi = {};
  /// List the exported names instead of their number.
  bool listsExports = false;
  /// The torch releases that export what the file imports.
  versions::TorchRange torch = {};
};

/// Output of `cuda-cc inspect` for one file; the blocks of several files are concatenated. \p
/// isNvidia returns whether a SONAME is that of an NVIDIA library.
std::string inspect(const Inspected &file, llvm::function_ref<bool(llvm::StringRef)> isNvidia,
                    Style style = {});

} // namespace cudacc::report
