// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Symbols.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace cudacc::policy {

/// Shortest text of an opened version, two numbers at least, that no older opened version reaches:
/// `12.5` for 12.5.40 behind 12.4.131. `>=` that text selects exactly the versions from it on.
std::string shortFrom(const tables::SymbolTable &table, size_t index);

/// A run of opened versions, both ends included.
struct VersionRun {
  size_t first = 0, last = 0;
};
using VersionRuns = llvm::SmallVector<VersionRun, 2>;

/// Runs in which \p holds, ascending.
VersionRuns runsWhere(const tables::SymbolTable &table, llvm::function_ref<bool(size_t)> holds);

/// "12.5", "9.2, and 9.5 on", "12.1 and older"; empty for no run.
std::string describe(const tables::SymbolTable &table, const VersionRuns &runs);

/// From when on `-lNAME` has the symbol no more in the CUDA major, nor in any newer version that
/// was opened: "CUDA 13.0", "version 12.3.0.1"; empty: it never had it, or the newest one has it.
std::string goneSince(llvm::StringRef linkName, unsigned major, llvm::StringRef symbol);

} // namespace cudacc::policy
