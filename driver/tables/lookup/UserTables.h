// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/ReleaseTables.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::tables {

/// Rows that a user's file adds to the built-in tables at run time (F16). Results of look-ups refer
/// to it.
struct UserTables : rows::ReleaseTables {
  /// The releases that contain a version of a distribution, see tables::releasesOf(). Null if none.
  const std::set<rows::Number> *releasesOf(llvm::StringRef dist,
                                           const versions::Version &version) const;
};

/// Reads `{"schema": 1, "tables": {"torch_wheel_pins": [ROW...], ...}}`. Rows have the format of
/// the data files (data/README.md), so that they can be moved there unchanged. \p shown names the
/// file in errors. Errors: Code::BrokenFacts for malformed text, wrong types and invalid rows,
/// Code::FactsContradict for a row that contradicts a built-in one. A row equal to a built-in one
/// is allowed and has no effect.
llvm::Expected<UserTables> readUserTables(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::tables
