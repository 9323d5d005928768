// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dlopen.h"
#include "driver/binary/elf/Image.h"
#include "driver/binary/manifest/Seal.h"
#include "driver/core/Manifest.h"

namespace cudacc::binary {

/// Limits for reading the notes of one file (RD-2, RD-6). Shared by the members of an archive.
struct NoteBudget {
  uint64_t bytes = 16 << 20;
  uint64_t records = 65536;
};

/// Reads all cuda-cc records of one ELF file, first from segments, then from sections (RD-2 to
/// RD-4), and dlopen notes, which are in the same places. More than the budget is an error, since a
/// record that was not read could be the one of the newest toolkit.
llvm::Error readNotes(const Image &image, NoteBudget &budget, core::Manifest &manifest,
                      DlopenNotes &dlopens, NotePositions *positions);

} // namespace cudacc::binary
