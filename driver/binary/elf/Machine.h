// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <cstdint>

namespace cudacc::binary {

/// e_machine of an ELF file, or of an archive's first member: what ld goes by when it passes over a
/// library as incompatible (binutils 2.40). 0: neither, or unknown.
uint16_t machineOf(core::ReadableFile &file);

} // namespace cudacc::binary
