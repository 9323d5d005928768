// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <tuple>
#include <vector>

/// Helpers for look-ups in the symbol tables; private to this library.
namespace cudacc::tables::rows {

/// How the exports of a library for aarch64 differ from those for x86-64. Only of libraries of
/// which a version differs.
struct Difference {
  std::vector<llvm::StringRef> lacks, more;
  /// C++ names and others outside of the interface differ, too.
  bool leftOut = false;

  static constexpr auto columns =
      std::tuple(&Difference::lacks, &Difference::more, &Difference::leftOut);
};

std::optional<NameId> findName(llvm::StringRef name);
std::string nameText(NameId name);
/// Calls \p each with every name of the library and the list of versions that export it.
void forEachName(const SymbolLibraryRow &library,
                 llvm::function_ref<void(NameId name, uint16_t ranges)> each);
/// Position in symbolLists of the versions that export the name. std::nullopt if none does.
std::optional<uint16_t> findRanges(const SymbolLibraryRow &library, NameId name);
/// Whether a list has an index from \p first to \p last, both counted from the library's first
/// version.
bool anyIn(uint16_t list, unsigned first, unsigned last);

} // namespace cudacc::tables::rows
