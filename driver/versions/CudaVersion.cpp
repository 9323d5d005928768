// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"

namespace cudacc::versions {

std::string CudaVersion::str() const {
  return known() ? fmt::format("{}.{}", major, minor) : "unknown";
}

std::optional<CudaVersion> CudaVersion::parse(llvm::StringRef text) {
  CudaVersion version;
  if (text.consumeInteger(10, version.major) || !text.consume_front(".") ||
      text.consumeInteger(10, version.minor) || !version.known())
    return std::nullopt;
  if (!text.empty() && text.front() != '.')
    return std::nullopt;
  return version;
}

std::optional<CudaVersion> CudaVersion::fromMacro(unsigned value) {
  if (value < 8000 || value % 10 != 0 || value / 1000 > 999)
    return std::nullopt;
  return CudaVersion{value / 1000, value % 1000 / 10};
}

} // namespace cudacc::versions
