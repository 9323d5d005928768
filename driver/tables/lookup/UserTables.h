// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/ReleaseTables.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::tables {

/// Rows that a user's file and a facts package add to the built-in tables at run time (F16).
/// Results of look-ups refer to it.
struct UserTables : rows::ReleaseTables {
  /// The releases that contain a version of a distribution, see tables::releasesOf(). Null if none.
  const std::set<rows::Number> *releasesOf(llvm::StringRef dist,
                                           const versions::Version &version) const;

  /// Of the facts package whose rows are here too. Empty: none is used.
  std::string packageRelease;
};

/// Reads `{"schema": 1, "tables": {"torch_wheel_pins": [ROW...], ...}}`. Rows have the format of
/// the data files (data/README.md), so that they can be moved there unchanged. \p shown names the
/// file in errors. Errors: Code::BrokenFacts for malformed text, wrong types and invalid rows,
/// Code::FactsContradict for a row that contradicts a built-in one. A row equal to a built-in one
/// is allowed and has no effect.
llvm::Expected<UserTables> readUserTables(llvm::StringRef text, llvm::StringRef shown);

/// Release of the built-in data: `2026.11.0`.
llvm::StringRef dataRelease();

/// What `release.json` of a facts package says about it: `{"schema": 1, "release": "2026.12.0"}`.
struct PackageRelease {
  std::string release;
  /// Newer than the built-in data; only then is the package used.
  bool isNewer = false;
};
/// Error: Code::BrokenFacts for malformed text and another schema.
llvm::Expected<PackageRelease> readPackageRelease(llvm::StringRef text, llvm::StringRef shown);

/// Adds the rows of a package's `tables.json` to \p more, which has those of a user's file if there
/// is one. The format is that of the user's file, with `release`, and `since` in each row: the
/// release that added it. What is built in or in \p more stays: a row that repeats or contradicts
/// it has no effect. Errors: as readUserTables(); Code::BrokenFacts for another release than \p
/// release.
llvm::Error addPackage(llvm::StringRef text, llvm::StringRef shown, llvm::StringRef release,
                       UserTables &more);

} // namespace cudacc::tables
