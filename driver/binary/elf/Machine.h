// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <cstdint>

namespace cudacc::binary {

/// The e_machine of an ELF file, or of an archive's first member, by which ld decides whether to
/// skip a library as incompatible (binutils 2.40). 0 if it is neither or cannot be determined.
uint16_t machineOf(core::ReadableFile &file);

} // namespace cudacc::binary
