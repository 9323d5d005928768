// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/Wheel.h"
#include <atomic>

namespace cudacc::binary {

/// How much may still be inflated of one wheel.
class InflateBudget {
public:
  explicit InflateBudget(uint64_t wheelSize);
  /// False: it is used up.
  bool take(uint64_t count);

private:
  uint64_t size;
  std::atomic<uint64_t> used = 0;
};

/// The deflated \p entry, whose data begin at \p data, as `openEntry` gives it.
std::unique_ptr<MemberFile> inflated(core::ReadableFile &wheel, uint64_t data,
                                     const WheelEntry &entry);

} // namespace cudacc::binary
