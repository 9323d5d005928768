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
  /// Where it is, or would be, and whether it is there.
  llvm::StringRef folder;
  bool isKept = false;
  /// The base of the archives, as set; may be empty.
  llvm::StringRef base;
  llvm::StringRef license, licenseText;
  bool isAccepted = false;
};

/// Sum over the parts; 0 if one is not known.
uint64_t totalOf(const core::FetchPlan &plan, uint64_t core::FetchPart::*member);
bool hasArchives(const core::FetchPlan &plan);
/// `5 files, 104.5 MB (273.3 MB unpacked)`; sizes that are not known are left out.
std::string sizeText(const core::FetchPlan &plan);
std::string text(const FetchReport &report);

} // namespace cudacc::report
