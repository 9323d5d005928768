// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Dynamic.h"
#include "driver/core/Diagnostic.h"
#include <optional>

namespace cudacc::binary {

/// Why a shared object or program cannot be loaded, whoever loads it: it ends before its segments
/// do, or what the loader reads of it contradicts itself. The section table belongs to no segment:
/// a file loads without it. Measured with glibc 2.36.
struct Damage {
  enum class Ends {
    /// ld.so rejects the file with the message `words`.
    Refused,
    /// Loading it ends the process: by SIGBUS, SIGSEGV or an assertion of ld.so.
    Loading,
    /// Pages are missing, but none that ld.so is known to access: a later access gets SIGBUS.
    Later,
    /// Not known. Where only the rest of the last page is missing, it reads as zeros.
    Unknown,
  };
  Ends ends = Ends::Refused;
  std::string words = {};
  /// What contradicts itself, as a clause; empty for a file that is truncated.
  std::string because = {};
  /// For a file that is truncated its size, and the end of its last segment; 0 if unknown.
  uint64_t size = 0, needed = 0;

  bool isTruncated() const { return because.empty(); }
};

/// Returns std::nullopt if nothing is wrong or if the file is no ELF64 file that a loader maps.
/// The relocations are not looked at. \p path is used in messages.
llvm::Expected<std::optional<Damage>> findDamage(core::ReadableFile &file, llvm::StringRef path);

/// Its parts, in order: each reads what the one before found to be there. Pages have 4 KiB (on
/// aarch64 64 KiB, the largest possible size) for what is truncated.
llvm::Expected<std::optional<Damage>> findTruncation(Bytes &bytes);
/// Headers and segments.
std::optional<Damage> damageOfSegments(const Image &image);
/// What the dynamic section names: tables, versions, hashes, and relocations if asked for.
std::optional<Damage> damageOfTables(const Image &image, const Dynamic &dynamic, bool relocations);

/// The finding for such a file: CC4123, or CC2014 if the consequences are uncertain.
core::Finding damageFinding(const Damage &damage, llvm::StringRef path);

/// Whether one of its segments is mapped executable, as in nearly every library.
llvm::Expected<bool> hasCode(core::ReadableFile &file, llvm::StringRef path);

} // namespace cudacc::binary
