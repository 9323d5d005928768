// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace cudacc::binary {

/// Bytes to be overwritten in place.
struct Patch {
  uint64_t offset = 0;
  std::string bytes;
};

} // namespace cudacc::binary
