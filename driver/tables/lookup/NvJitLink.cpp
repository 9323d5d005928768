// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/NvJitLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using llvm::StringRef;
using versions::CudaVersion;

std::optional<CudaVersion> nvJitLinkSuffix(StringRef symbol) {
  if (!symbol.consume_front("__nvJitLink"))
    return std::nullopt;
  auto [front, minor] = symbol.rsplit('_');
  auto [name, major] = front.rsplit('_');
  CudaVersion suffix;
  if (name.empty() || !llvm::all_of(major, llvm::isDigit) || !llvm::all_of(minor, llvm::isDigit) ||
      major.getAsInteger(10, suffix.major) || minor.getAsInteger(10, suffix.minor) ||
      !suffix.known())
    return std::nullopt;
  return suffix;
}

} // namespace cudacc::tables
