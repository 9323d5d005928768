// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/archive/Wheel.h"
#include <atomic>

namespace cudacc::binary {

/// Limits how much is inflated from one wheel.
class InflateBudget {
public:
  explicit InflateBudget(uint64_t wheelSize);
  /// Returns false if the budget is exhausted.
  bool take(uint64_t count);

private:
  uint64_t size;
  std::atomic<uint64_t> used = 0;
};

/// The deflated \p entry, whose data begin at \p data, as described at `openEntry`.
std::unique_ptr<MemberFile> inflated(core::ReadableFile &wheel, uint64_t data,
                                     const WheelEntry &entry);

} // namespace cudacc::binary
