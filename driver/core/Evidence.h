// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>

namespace cudacc::core {

/// What the bytes of a file, apart from its manifest, show about the toolkit that made it
/// (docs/spec/device-code.md). Pieces may disagree: a file can hold code from several toolkits.
struct Evidence {
  /// "SY-21".
  std::string id;
  /// "PTX ISA 8.4", "imports __nvJitLinkCreate_12_5".
  std::string text;
  /// The oldest toolkit it is compatible with; 0.0 if it sets no lower bound.
  versions::CudaVersion least;
  /// The newest such toolkit; 0.0 if it sets no upper bound.
  versions::CudaVersion most;
};

} // namespace cudacc::core
