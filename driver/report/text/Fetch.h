// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/FetchPlan.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::report {

/// `toolchain --fetch --print`.
struct FetchReport {
  /// Null if nothing has to be fetched: the environment has `nvcc`.
  const core::FetchPlan *plan = nullptr;
  llvm::StringRef nvcc;
  /// `cublas in CMakeLists.txt:12`: the parts that the project names. Empty if there are none.
  std::string named;
  /// Where it is, or would be, and whether it is there.
  llvm::StringRef folder;
  bool isKept = false;
  /// The base of the archives, as set; may be empty.
  llvm::StringRef base;
  llvm::StringRef license, licenseText;
  bool isAccepted = false;
};

std::string text(const FetchReport &report);

} // namespace cudacc::report
