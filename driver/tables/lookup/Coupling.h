// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <utility>

namespace cudacc::tables {

enum class Reach : uint8_t {
  /// DT_NEEDED.
  Needed,
  /// Its read-only data contains the SONAME; that it calls dlopen is inferred.
  Dlopen,
};

/// The minimum version of one library whose symbols another one imports (RL-9): the oldest version
/// that exports all of them, and later versions that lack one again.
struct Coupling {
  /// The needed library, and the distribution to which the versions belong. `dist` is empty if no
  /// wheel has the library.
  llvm::StringRef soname, dist;
  Reach reach = Reach::Needed;
  /// Both are in one wheel: matters only if another copy is loaded (E_GROUP).
  bool sameWheel = false;
  /// Empty if the names were not looked up or no version that was read has all of them.
  llvm::StringRef minVersion;
  /// No older version was read; older ones may work as well.
  bool oldestOpened = false;
  /// Names that the version before `minVersion` lacks; the tables have at most 16.
  llvm::SmallVector<llvm::StringRef, 4> deciding;
  /// Ranges of versions, both ends included, that lack one of `missingLater`.
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>, 1> notInLater;
  llvm::SmallVector<llvm::StringRef, 2> missingLater;
  Confidence confidence = Confidence::Verified;

  static constexpr auto columns =
      std::tuple(&Coupling::soname, &Coupling::dist, &Coupling::reach, &Coupling::sameWheel,
                 &Coupling::minVersion, &Coupling::oldestOpened, &Coupling::deciding,
                 &Coupling::notInLater, &Coupling::missingLater, &Coupling::confidence);
};

/// Sorted by the needed library's name. Returns only rows that cover \p version: one that was not
/// read is covered only inside a range.
llvm::SmallVector<Coupling, 4> couplingsOf(llvm::StringRef soname, llvm::StringRef dist,
                                           const versions::Version &version);

enum class CouplingFit : uint8_t { Holds, TooOld, TooNew, Unknown };
/// Whether \p provider, a version of `coupling.dist`, has the required symbols. Unknown if there is
/// no minimum version or \p provider is older than all versions that were read.
CouplingFit fits(const Coupling &coupling, const versions::Version &provider);

} // namespace cudacc::tables
