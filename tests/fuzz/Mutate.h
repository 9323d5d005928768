// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Input.h"
#include <random>

/// Mutators that know a format, so that what they make is rejected late. One of four times bytes
/// are changed as libFuzzer does it.
namespace cudacc::fuzz {

using Random = std::minstd_rand;

/// Sets one field of a header or table.
size_t mutateElf(uint8_t *data, size_t size, size_t most, unsigned seed);
/// Sets one field of a container or an entry, or changes a payload and the sizes around it.
size_t mutateFatbin(uint8_t *data, size_t size, size_t most, unsigned seed);
/// Changes a name or the content of a member, or doubles or removes it, and writes all headers and
/// checksums anew.
size_t mutateZip(uint8_t *data, size_t size, size_t most, unsigned seed);

/// Replaces the number of \p width bytes at \p offset by one that a reader may get wrong: of
/// another field, close to the old one, close to the size of the file, a power of two.
void setNumber(uint8_t *data, size_t size, size_t offset, unsigned width, Random &random);

} // namespace cudacc::fuzz
