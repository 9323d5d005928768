// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>

/// Steps of the look-ups in the symbol tables; not for other rooms.
namespace cudacc::tables::rows {

std::optional<NameId> findName(llvm::StringRef name);
std::string nameText(NameId name);
/// Calls \p each with every name of the library and the list of the versions that export it.
void forEachName(const SymbolLibraryRow &library,
                 llvm::function_ref<void(NameId name, uint16_t ranges)> each);
/// Where symbolLists says in which versions a library exports the name; nothing: in none.
std::optional<uint16_t> findRanges(const SymbolLibraryRow &library, NameId name);
/// Whether a list has an index from \p first to \p last, both counted from the library's first
/// version.
bool anyIn(uint16_t list, unsigned first, unsigned last);

} // namespace cudacc::tables::rows
