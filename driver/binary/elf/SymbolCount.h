// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dynamic.h"

namespace cudacc::binary {

constexpr uint64_t MaxSymbols = 1 << 24;

struct GnuHashHeader {
  uint32_t buckets, firstSymbol, filterWords, shift;
};

/// The number of entries in the dynamic symbol table, which has no tag of its own: from both hash
/// tables, else from the section headers, else as many as relocations refer to (PF-A9).
llvm::Expected<uint64_t> symbolCount(const Image &image, const Dynamic &dynamic);

} // namespace cudacc::binary
