// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cudacc::tables {

/// How sure a row is (data/README.md): read or measured by us; read in the named source; somebody's
/// summary; a guess, on which alone nothing is rejected.
enum class Confidence : uint8_t { Verified, Sourced, Secondary, Unverified };

} // namespace cudacc::tables
