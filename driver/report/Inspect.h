#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Evidence.h"
#include "driver/core/LibraryFloor.h"
#include "driver/core/TorchRange.h"
#include "driver/report/Layout.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cudacc::report {

/// What is known about a file beside its bytes.
struct Inspected {
  core::BinaryFacts facts;
  std::vector<core::Evidence> evidence;
  std::vector<core::LibraryFloor> floor;
  /// Names are listed, not counted.
  bool listsExports = false;
  /// The releases of torch that export what it imports.
  core::TorchRange torch = {};
};

/// What `cuda-cc inspect` prints about one file; blocks of several files follow each other.
/// \p isNvidia says of a SONAME whether the library is NVIDIA's (facts room).
std::string inspect(const Inspected &file, llvm::function_ref<bool(llvm::StringRef)> isNvidia,
                    Style style = {});

} // namespace cudacc::report
