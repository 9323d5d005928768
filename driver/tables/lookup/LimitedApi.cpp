#include "driver/tables/lookup/LimitedApi.h"
#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;

bool isPythonName(StringRef symbol) {
  symbol.consume_front("_");
  return symbol.consume_front("Py") && !symbol.empty() &&
         (symbol.front() == '_' || llvm::isUpper(symbol.front()));
}

std::optional<unsigned> limitedApiSince(StringRef symbol) {
  auto rows = rows::limitedApi();
  auto it = llvm::lower_bound(
      rows, symbol, [](const auto &row, StringRef wanted) { return rows::str(row.name) < wanted; });
  if (it == rows.end() || rows::str(it->name) != symbol)
    return std::nullopt;
  return it->minor;
}

} // namespace cudacc::tables
