// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/binary/elf/ReadOptions.h"
#include "driver/core/BinaryFacts.h"

namespace cudacc::binary {

/// \p bytes are those of one member.
using VisitMember = llvm::function_ref<llvm::Error(const std::string &name, Bytes &bytes)>;

/// Visits the members of an archive as readArchive reads them, indices left out. If \p openMember
/// is null, the members of a thin archive are not visited. Returns the number of members.
llvm::Expected<uint64_t> eachMember(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path,
                                    bool thin, OpenMember openMember, VisitMember visit);

/// Reads the members of an archive in System V, GNU or BSD format (`ar`, llvm-ar), thin archives
/// included (FB-28). Archives inside archives are not opened.
llvm::Error readArchive(core::ReadableFile &file, Bytes &bytes, llvm::StringRef path, bool thin,
                        const ReadOptions &options, core::BinaryFacts &facts);

} // namespace cudacc::binary
