// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <string>

namespace cudacc::core {

/// What the bytes of a file tell about the toolkit that made it, without its manifest
/// (docs/spec/device-code.md). Pieces may disagree: a file holds code of several toolkits.
struct Evidence {
  /// "SY-21".
  std::string id;
  /// "PTX ISA 8.4", "imports __nvJitLinkCreate_12_5".
  std::string text;
  /// The oldest toolkit that it fits; 0.0: it says less.
  versions::CudaVersion least;
  /// The newest; 0.0: open upward.
  versions::CudaVersion most;
};

} // namespace cudacc::core
