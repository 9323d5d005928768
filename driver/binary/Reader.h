// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/ReadOptions.h"
#include "driver/binary/manifest/Seal.h"
#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"

namespace cudacc::binary {

/// Reads the headers and tables of an ELF64 little-endian file for x86-64 or aarch64, of a bitcode
/// file or of an archive, never the whole file. Memory does not grow with the file's size.
/// - A file of device code only (DeviceFile.h) is Kind::DeviceCode if device code is requested.
/// - Any other ELF file is Kind::Other with `notAudited` set (FB-29); a file that is not ELF is
///   Kind::Other without further facts.
/// - A position-independent executable is an Executable: it has DF_1_PIE, or an interpreter and no
///   SONAME.
/// - A shared object or executable that ends before its segments do is an error: Damaged, or
///   BrokenBinary if the consequences are uncertain (Truncation.h). If only the section table is
///   missing, it is read by its segments.
/// - Errors: BrokenBinary for a damaged table, LimitReached for one larger than any linker makes.
/// - `executableStack` is set for linked files if PT_GNU_STACK requests it or is absent, which
///   glibc treats as a request on x86-64, not on aarch64.
/// - Imports of an archive are the names that members need and none defines. Device code and dlopen
///   notes of all members are merged; `notAudited` is that of the first such member.
///
/// \p positions receives what `seal` needs; it may be null. \p path is used in messages.
llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       const ReadOptions &options,
                                       NotePositions *positions = nullptr);
/// Reads what the link step needs: the default options without `thorough`.
llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       NotePositions *positions = nullptr);

} // namespace cudacc::binary
