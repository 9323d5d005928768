// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Invocation.h"
#include "driver/core/LinkedLibrary.h"
#include "driver/core/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace cudacc::plan {

/// Rows of the target that \p row is coupled to, directly or indirectly (RP-12), in breadth-first
/// order. Libraries only opened by dlopen are left out.
std::vector<const core::TargetLibrary *> coupledTo(const core::Target &target,
                                                   const core::TargetLibrary &row);

/// A library that the output is made to NEED, as libraries of the link are coupled to it.
struct CoupledLibrary {
  std::string soname;
  /// The file; empty if none was found.
  std::string path;
  /// SONAMEs of the libraries of the link that are coupled to it.
  std::vector<std::string> serves;
};

/// SONAMEs that \p output NEEDs only because of \p coupled: the linker dropped what they serve
/// (--as-needed). Entries that the caller's line causes itself, by \p libraries, are not among
/// them.
/// \p isUsed: whether the output may use symbols of the library.
std::vector<std::string> unservedIn(const core::BinaryFacts &output, const core::Invocation &call,
                                    llvm::ArrayRef<core::LinkedLibrary> libraries,
                                    llvm::ArrayRef<CoupledLibrary> coupled,
                                    llvm::function_ref<bool(const CoupledLibrary &)> isUsed);

/// Folders under site-packages of \p rows, then of all libraries that these need or open by dlopen,
/// without duplicates. An empty element is the `lib` of a conda environment.
std::vector<std::string> foldersOf(const core::Target &target,
                                   llvm::ArrayRef<const core::TargetLibrary *> rows);

} // namespace cudacc::plan
