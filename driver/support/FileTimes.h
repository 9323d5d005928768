// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Toolkit.h"

namespace cudacc::support {

/// True if the file may change at \p time (nanoseconds since the epoch) or later without another
/// change time, or did: kernels take it from a clock that lags by a tick, and some file systems
/// keep it in steps of two seconds.
inline bool mayBeAsNewAs(const core::FileId &file, int64_t time) {
  constexpr int64_t second = 1'000'000'000, tick = second / 100;
  return file.ctime >= time - (file.ctime % second ? tick : 2 * second);
}

} // namespace cudacc::support
