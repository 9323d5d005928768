// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/ReleaseTables.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::tables {

/// Rows that a file of the user's adds to the tables at run time (F16). What the look-ups return
/// refers to it.
struct UserTables : rows::ReleaseTables {
  /// The releases that have a version of a distribution, as releasesOf(); null: none.
  const std::set<rows::Number> *releasesOf(llvm::StringRef dist,
                                           const versions::Version &version) const;
};

/// Reads `{"schema": 1, "tables": {"torch_wheel_pins": [ROW...], ...}}`: rows as the data files
/// have them (data/README.md), so that one can be moved there as it is. \p shown names the file in
/// errors: Code::BrokenFacts for text, types and rows that are not what the tables hold,
/// Code::FactsContradict for a row that says something else than a built-in one. An equal one adds
/// nothing.
llvm::Expected<UserTables> readUserTables(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::tables
