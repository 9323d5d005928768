// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/core/Diagnostic.h"
#include <optional>

namespace cudacc::binary {

/// Describes a shared object or executable that ends before its segments do. The section table
/// belongs to no segment: a file loads without it.
struct Truncation {
  enum class Ends {
    /// In the headers: ld.so rejects the file with the message `words`.
    Refused,
    /// Missing pages are accessed by ld.so: SIGBUS, or SIGSEGV due to zeros in the last page's
    /// rest.
    Loading,
    /// Pages are missing, but none that ld.so is known to access: a later access gets SIGBUS.
    Later,
    /// Only the rest of the last page is missing; it reads as zeros.
    Zeros,
  };
  Ends ends = Ends::Refused;
  std::string words;
  /// Size of the file, and the end of its last segment; 0 if unknown.
  uint64_t size = 0, needed = 0;
};

/// Returns std::nullopt if the file is complete or is no ELF64 file that a loader maps. Measured
/// with glibc 2.36; pages have 4 KiB (on aarch64 64 KiB, the largest possible size). \p path is
/// used in messages.
llvm::Expected<std::optional<Truncation>> findTruncation(core::ReadableFile &file,
                                                         llvm::StringRef path);
llvm::Expected<std::optional<Truncation>> findTruncation(Bytes &bytes);

/// The finding for such a file: CC4123, or CC2014 if the consequences are uncertain.
core::Finding describe(const Truncation &truncation, llvm::StringRef path);

/// Whether one of its segments is mapped executable, as in nearly every library.
llvm::Expected<bool> hasCode(core::ReadableFile &file, llvm::StringRef path);

} // namespace cudacc::binary
