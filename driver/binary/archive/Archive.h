// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/binary/elf/ReadOptions.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// Reads the members of an archive in System V, GNU or BSD format (`ar`, llvm-ar), thin archives
/// included (FB-28). Archives inside archives are not opened.
llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        const ReadOptions &options, core::BinaryFacts &facts);

} // namespace cudacc::binary
