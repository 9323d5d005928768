// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"
#include "driver/core/Diagnostic.h"
#include <optional>

namespace cudacc::binary {

/// A shared object or executable that ends before its segments do. The section table is no part of
/// any: without it a file loads as ever.
struct Truncation {
  enum class Ends {
    /// In the headers: ld.so refuses it, in `words`.
    Refused,
    /// Pages are missing that ld.so touches: SIGBUS, or SIGSEGV by the zeros in the rest of the
    /// last
    /// one.
    Loading,
    /// Pages are missing, none of which it is known to touch: whatever does gets SIGBUS.
    Later,
    /// Only the rest of the last page, which reads as zeros.
    Zeros,
  };
  Ends ends = Ends::Refused;
  std::string words;
  /// Bytes that are there, and where the last segment ends; 0: not known.
  uint64_t size = 0, needed = 0;
};

/// Nothing: the file is whole, or it is no ELF64 file that a loader maps. Measured with glibc 2.36;
/// pages have 4 KiB (64 KiB on aarch64, where they may have). \p path is for messages.
llvm::Expected<std::optional<Truncation>> findTruncation(core::ReadableFile &file,
                                                         llvm::StringRef path);
llvm::Expected<std::optional<Truncation>> findTruncation(Bytes &bytes);

/// What is said of such a file: CC4123, or CC2014 where nothing certain is known of what happens.
core::Finding describe(const Truncation &truncation, llvm::StringRef path);

/// Whether one of its segments is mapped executable, as in nearly every library.
llvm::Expected<bool> hasCode(core::ReadableFile &file, llvm::StringRef path);

} // namespace cudacc::binary
