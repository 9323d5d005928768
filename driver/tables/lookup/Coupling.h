// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <utility>

namespace cudacc::tables {

enum class Reach : uint8_t {
  /// DT_NEEDED.
  Needed,
  /// Imports its symbols without DT_NEEDED.
  Symbol,
  /// Holds its soname as text; that it is opened by dlopen is inferred.
  Dlopen,
};

struct Need {
  llvm::StringRef soname;
  Reach reach = Reach::Needed;
};

/// The NVIDIA libraries that a library of this version needs by itself, in the order it names them.
/// They are coupled by minor: an older copy of theirs may lack what it imports (cuSPARSE and
/// cuSOLVER to nvJitLink, cuBLAS to cuBLASLt). A version between two opened ones counts as the
/// older of them, one before the first opened as unknown: empty.
llvm::SmallVector<Need, 4> needsOf(llvm::StringRef soname, llvm::StringRef dist,
                                   const versions::Version &version);

/// What a library of one version asks of another by symbol (RL-9): the oldest version that exports
/// everything it imports, and later ones that lack a name again.
struct Coupling {
  /// The library that is needed, and the distribution whose versions are meant; the latter is empty
  /// where no wheel brings it.
  llvm::StringRef soname, dist;
  Reach reach = Reach::Needed;
  /// Both come in one wheel: of interest only when another copy is taken (E_GROUP).
  bool sameWheel = false;
  /// Empty: the names were not searched for, or no opened version has them all.
  llvm::StringRef minVersion;
  /// No older version was opened: older ones may do too.
  bool oldestOpened = false;
  /// Names that the version before `minVersion` lacks; at most 16 are known.
  llvm::SmallVector<llvm::StringRef, 4> deciding;
  /// Runs of versions, both ends included, that lack one of `missingLater` again.
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 1> notInLater;
  llvm::SmallVector<llvm::StringRef, 2> missingLater;
  Confidence confidence = Confidence::Verified;
};

/// In the order of the needed library's name. Only rows that cover \p version: one that was not
/// opened has none unless it lies inside a run.
llvm::SmallVector<Coupling, 4> couplingsOf(llvm::StringRef soname, llvm::StringRef dist,
                                           const versions::Version &version);

enum class CouplingFit : uint8_t { Holds, TooOld, TooNew, Unknown };
/// Whether \p provider, a version of `coupling.dist`, has what is asked of it. Unknown: no floor is
/// known, or the version is older than every one that was opened.
CouplingFit fits(const Coupling &coupling, const versions::Version &provider);

} // namespace cudacc::tables
