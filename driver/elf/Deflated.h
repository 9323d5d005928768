#pragma once

#include "driver/elf/Wheel.h"

namespace cudacc::elf {

/// The deflated \p entry, whose data begin at \p data, as `openEntry` gives it.
std::unique_ptr<core::ReadableFile> inflated(core::ReadableFile &wheel, uint64_t data,
                                             const WheelEntry &entry);

} // namespace cudacc::elf
