#pragma once

#include "driver/core/BinaryFacts.h"
#include "driver/core/Files.h"
#include "driver/elf/Seal.h"

namespace cudacc::elf {

/// Reads headers and tables of an ELF64 little-endian file or an archive, never the whole file.
/// - Anything else, ELF32 and big-endian included, is Kind::Other without further facts.
/// - A position-independent executable is an Executable: DF_1_PIE, or an interpreter and no SONAME.
/// - A table that is damaged is BrokenBinary; one beyond what any linker makes, LimitReached.
/// - `executableStack` is that of linked files: PT_GNU_STACK asks for it, or is absent, which glibc
///   2.36 reads as a request.
/// - Of an archive's members only notes are read; those of a thin archive lie elsewhere and are
/// only
///   counted.
/// \p positions receives what `seal` needs; it may be null. \p path is for messages.
llvm::Expected<core::BinaryFacts> read(core::ReadableFile &file, llvm::StringRef path,
                                       NotePositions *positions = nullptr);

} // namespace cudacc::elf
