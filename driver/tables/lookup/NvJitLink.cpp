// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/NvJitLink.h"
#include "driver/tables/lookup/Tables.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using versions::CudaVersion;

/// Splits `__nvJitLinkCreate_12_5` into `Create` and 12.5. False if it has another form.
static bool splitSuffixed(StringRef symbol, StringRef &name, CudaVersion &suffix) {
  if (!symbol.consume_front("__nvJitLink"))
    return false;
  auto [front, minor] = symbol.rsplit('_');
  auto [base, major] = front.rsplit('_');
  name = base;
  return !base.empty() && llvm::all_of(major, llvm::isDigit) &&
         llvm::all_of(minor, llvm::isDigit) && !major.getAsInteger(10, suffix.major) &&
         !minor.getAsInteger(10, suffix.minor) && suffix.known();
}

std::optional<CudaVersion> nvJitLinkSuffix(StringRef symbol) {
  StringRef name;
  CudaVersion suffix;
  if (!splitSuffixed(symbol, name, suffix))
    return std::nullopt;
  return suffix;
}

std::optional<CudaVersion> firstNvJitLinkWith(StringRef symbol, unsigned major) {
  StringRef name;
  CudaVersion suffix;
  bool suffixed = splitSuffixed(symbol, name, suffix);
  if (suffixed && suffix.major != major)
    return std::nullopt;
  if (!suffixed) {
    name = symbol;
    if (!name.consume_front("nvJitLink") && !name.starts_with("__"))
      return std::nullopt;
  }
  for (const rows::NvJitLinkRow &row : rows::nvJitLinkNames()) {
    if (row.major != major || rows::str(row.name) != name)
      continue;
    unsigned since = suffixed ? row.suffixedSince : row.plainSince;
    if (since == 0xff)
      return std::nullopt;
    return CudaVersion{major, suffixed ? std::max(since, suffix.minor) : since};
  }
  return std::nullopt;
}

} // namespace cudacc::tables
