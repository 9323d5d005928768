#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/elf/Bytes.h"
#include "driver/elf/ReadOptions.h"

namespace cudacc::elf {

/// Fills the members of an archive in System V, GNU or BSD form (`ar`, llvm-ar), thin ones too
/// (FB-28). Archives inside archives are not opened.
llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        const ReadOptions &options, core::BinaryFacts &facts);

} // namespace cudacc::elf
