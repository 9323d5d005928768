#include "driver/facts/LimitedApi.h"
#include "driver/facts/Tables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::facts {

using llvm::StringRef;

bool isPythonName(StringRef symbol) {
  symbol.consume_front("_");
  return symbol.consume_front("Py") && !symbol.empty() &&
         (symbol.front() == '_' || llvm::isUpper(symbol.front()));
}

std::optional<unsigned> limitedApiSince(StringRef symbol) {
  auto rows = tables::limitedApi();
  auto it = llvm::lower_bound(rows, symbol, [](const auto &row, StringRef wanted) {
    return tables::str(row.name) < wanted;
  });
  if (it == rows.end() || tables::str(it->name) != symbol)
    return std::nullopt;
  return it->minor;
}

} // namespace cudacc::facts
