// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Model.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::generate {

using llvm::StringRef;
using versions::CudaVersion;

/// `Create` for `__nvJitLinkCreate_12_5` and for `nvJitLinkCreate`; `__nvJitLinkAPI` is returned as
/// it is.
static StringRef functionOf(const Row &row, StringRef symbol, bool suffixed) {
  StringRef name = symbol;
  if (suffixed)
    name = name.drop_front(2).rsplit('_').first.rsplit('_').first;
  else if (symbol.starts_with("__"))
    return symbol;
  row.require(name.consume_front("nvJitLink") && !name.empty(), "{} is not an nvJitLink name",
              symbol);
  return name;
}

/// Checks the rule that the look-up relies on: a library exports all of its functions with the
/// suffix of every minor from M.0 to its own. A row that violates it cannot be summarised.
static void checkFamilies(const Row &row, CudaVersion line, const std::set<StringRef> &functions,
                          const std::set<StringRef> &suffixed) {
  size_t expected = 0;
  for (unsigned minor = 0; minor <= line.minor; ++minor)
    for (StringRef function : functions) {
      std::string name = fmt::format("__nvJitLink{}_{}_{}", function, line.major, minor);
      row.require(suffixed.count(name), "the library lacks {}", name);
      ++expected;
    }
  row.require(expected == suffixed.size(), "a family exports more than the others");
}

void readNvJitLink(Input &input, Model &model) {
  std::vector<Row> rows = input.rows("nvjitlink_symbols");
  llvm::stable_sort(rows, [](const Row &a, const Row &b) { return a.cuda("ctk") < b.cuda("ctk"); });
  for (const Row &row : rows) {
    if (row.text("role") != "export")
      continue;
    CudaVersion line = row.cuda("ctk");
    std::set<StringRef> functions, suffixed;
    for (StringRef symbol : row.texts("symbols")) {
      bool hasSuffix = symbol.starts_with("__") && llvm::isDigit(symbol.back());
      StringRef function = functionOf(row, symbol, hasSuffix);
      auto &known = model.nvJitLink[{function.str(), uint8_t(line.major)}];
      uint8_t &since = hasSuffix ? known.suffixedSince : known.plainSince;
      since = std::min(since, uint8_t(line.minor));
      if (hasSuffix) {
        functions.insert(function);
        suffixed.insert(symbol);
      }
    }
    checkFamilies(row, line, functions, suffixed);
  }
}

} // namespace cudacc::tables::generate
