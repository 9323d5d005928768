// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Symbols.h"
#include <string>

namespace cudacc::policy {

/// The shortest prefix of an opened version, at least two numbers, that is newer than every older
/// opened version: `12.5` for 12.5.40 if the one before is 12.4.131. `>=` with that text selects
/// exactly this version and newer ones. An opened version is one whose library was read for the
/// tables.
std::string shortFrom(const tables::SymbolTable &table, size_t index);

/// A range of consecutive opened versions; both ends are included.
struct VersionRun {
  size_t first = 0, last = 0;
};
using VersionRuns = llvm::SmallVector<VersionRun, 2>;

/// The ranges of versions that export all of \p names, ascending.
VersionRuns runsWith(const tables::SymbolTable &table, llvm::ArrayRef<llvm::StringRef> names);

/// "12.5", "9.2, and 9.5 on", "12.1 and older"; empty if there are no runs.
std::string describe(const tables::SymbolTable &table, const VersionRuns &runs);

/// The version since which `-lNAME` no longer exports the symbol, in the CUDA major and in every
/// newer opened version: "CUDA 13.0", "version 12.3.0.1". Empty if it never exported the symbol or
/// the newest version does.
std::string goneSince(llvm::StringRef linkName, unsigned major, llvm::StringRef symbol);

} // namespace cudacc::policy
