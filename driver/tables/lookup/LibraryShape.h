// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cudacc::tables {

/// The dynamic section of an NVIDIA library (versioned_symbols).
struct LibraryShape {
  /// Version nodes it defines. May be empty although there is a DT_VERSYM (SY-17).
  llvm::SmallVector<llvm::StringRef, 2> nodes;
  /// NVIDIA libraries in NEEDED, in that order; libc and other system libraries are left out.
  llvm::SmallVector<llvm::StringRef, 4> needed;
  /// Library names among its strings, which it may open; some are not SONAMEs (LS-5).
  llvm::SmallVector<llvm::StringRef, 4> dlopens;
  /// Elements, split at colons, with `$ORIGIN` unexpanded. For empty elements see LS-15.
  llvm::SmallVector<llvm::StringRef, 4> runpath, rpath;
  bool hasRunpath = false, hasRpath = false;
  /// The version lies in a range of versions that were read. If false, it is newer than all of them
  /// or lies between two that differ, and the shape is that of the older one.
  bool exact = false;
};

/// std::nullopt if no version up to this one was read. A `.postN` counts as the version without it,
/// unless it has its own row.
std::optional<LibraryShape> shapeOf(llvm::StringRef soname, llvm::StringRef dist,
                                    const versions::Version &version);

/// `needed` of its shape. These libraries are coupled by minor: an older copy may lack symbols that
/// it imports (cuSPARSE and cuSOLVER with nvJitLink, cuBLAS with cuBLASLt).
llvm::SmallVector<llvm::StringRef, 4> neededBy(llvm::StringRef soname, llvm::StringRef dist,
                                               const versions::Version &version);

} // namespace cudacc::tables
