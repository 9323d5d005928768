// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cudacc::tables {

/// Reliability of a row (data/README.md): read or measured by this project; stated by the named
/// source; somebody's summary; a guess, which alone never causes a rejection.
enum class Confidence : uint8_t { Verified, Sourced, Secondary, Unverified };

} // namespace cudacc::tables
