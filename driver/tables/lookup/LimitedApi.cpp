// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/LimitedApi.h"
#include "driver/tables/lookup/Lookup.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;

bool isPythonName(StringRef symbol) {
  symbol.consume_front("_");
  return symbol.consume_front("Py") && !symbol.empty() &&
         (symbol.front() == '_' || llvm::isUpper(symbol.front()));
}

std::optional<unsigned> limitedApiSince(StringRef symbol) {
  const auto *row = rows::findRow(rows::limitedApi(), &rows::LimitedApiRow::name, symbol);
  return row ? std::optional<unsigned>(row->minor) : std::nullopt;
}

} // namespace cudacc::tables
