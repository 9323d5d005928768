// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <optional>
#include <string>

namespace cudacc::versions {

/// The major and minor number of a CUDA release, `12.4`. Compared as numbers: 12.10 is newer than
/// 12.9. 0.0 means unknown.
struct CudaVersion {
  unsigned major = 0;
  unsigned minor = 0;

  bool known() const { return major != 0; }
  std::string str() const;
  auto operator<=>(const CudaVersion &) const = default;

  /// Parses `12.4`, or the first two numbers of a longer one (`12.4.131`); std::nullopt for any
  /// other text, `12` included.
  static std::optional<CudaVersion> parse(llvm::StringRef text);

  /// Converts CUDA_VERSION or CUDART_VERSION: 12040 is 12.4 (observed in cuda.h of 8.0 to 13.5).
  /// std::nullopt if it is below 8000 or the last digit is not 0 (EV-7).
  static std::optional<CudaVersion> fromMacro(unsigned value);
};

} // namespace cudacc::versions
