// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/ReadOptions.h"
#include "driver/binary/manifest/Seal.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"

namespace cudacc::binary {

/// Reads headers and tables of an ELF64 little-endian file of x86-64 or aarch64, of a bitcode file
/// or of an archive, never the whole file. Memory does not grow with the file's size.
/// - A file of device code (DeviceFile.h) is Kind::DeviceCode, where device code is asked for.
/// - Another ELF file is Kind::Other with `notAudited` (FB-29); what is no ELF file at all is
///   Kind::Other without further facts.
/// - A position-independent executable is an Executable: DF_1_PIE, or an interpreter and no SONAME.
/// - A shared object or executable that ends before its segments do is Truncated, or BrokenBinary
///   where it is not certain what comes of it (Truncation.h). One that lacks nothing but its
///   section table is read by its segments.
/// - A table that is damaged is BrokenBinary; one beyond what any linker makes, LimitReached.
/// - `executableStack` is that of linked files: PT_GNU_STACK asks for it, or is absent, which glibc
///   2.36 reads as a request.
/// - Imports of an archive are names that members need and none defines; device code and dlopen
///   notes of its members are united; `notAudited` is that of the first such member.
/// \p positions receives what `seal` needs; it may be null. \p path is for messages.
llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       const ReadOptions &options,
                                       NotePositions *positions = nullptr);
/// As the link step reads: nothing that is not on by itself, and not thorough.
llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       NotePositions *positions = nullptr);

} // namespace cudacc::binary
