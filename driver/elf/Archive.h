#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/elf/Bytes.h"

namespace cudacc::elf {

/// Fills the members of an archive in System V, GNU or BSD form (`ar`, llvm-ar).
llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        core::BinaryFacts &facts);

} // namespace cudacc::elf
