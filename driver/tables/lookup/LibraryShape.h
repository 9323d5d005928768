// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// What the dynamic section of one of NVIDIA's libraries says (versioned_symbols).
struct LibraryShape {
  /// Version nodes it defines; empty: none, though it has a DT_VERSYM all the same (SY-17).
  llvm::SmallVector<llvm::StringRef, 2> nodes;
  /// NEEDED of NVIDIA's libraries in their order; libc and its kind are left out.
  llvm::SmallVector<llvm::StringRef, 4> needed;
  /// File names of NVIDIA's libraries in its read-only data that are not NEEDED; that they are
  /// opened by dlopen is inferred. What it does without (optional_opens) is left out.
  llvm::SmallVector<llvm::StringRef, 4> dlopens;
  /// Elements, split at colons, `$ORIGIN` unexpanded; an empty element is LS-15's trap.
  llvm::SmallVector<llvm::StringRef, 4> runpath, rpath;
  bool hasRunpath = false, hasRpath = false;
  /// The version lies in a run of opened ones. Otherwise it is behind the last of them, or between
  /// two that differ, and the shape is that of the older.
  bool exact = false;
};

/// Nothing: no version of the distribution that is not newer was opened. A `.postN` counts as the
/// version without it, unless it has a row of its own.
std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const versions::Version &version);

} // namespace cudacc::tables
