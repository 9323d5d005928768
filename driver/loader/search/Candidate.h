// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::loader {

inline constexpr char DanglingLink[] = "dangling link";
/// glibc's words.
inline constexpr char TooShort[] = "file too short";

/// What the loader finds when it opens a path.
struct Candidate {
  enum class Kind {
    Absent,
    /// Another ELF class or machine: passed over, the search goes on (LS-17).
    Foreign,
    /// Empty, too short, a linker script, a directory: the search ends (LS-18).
    Fatal,
    Good,
    /// There, but its facts could not be read by us.
    Unreadable,
  };
  Kind kind = Kind::Absent;
  /// Of Fatal, glibc's words behind the path; of Foreign and Unreadable, the reason ("wrong ELF
  /// class: ELFCLASS32" of another class, which glibc remembers to the end of the search). Of
  /// Absent, strerror's words where they are not those of ENOENT ("Permission denied", "Not a
  /// directory"), or DanglingLink.
  std::string reason;
  /// Good and Unreadable; lives as long as the look-up. Null: nothing is known of it but its name.
  const core::BinaryFacts *facts = nullptr;
  /// What tells that two paths are one file; inode 0: not known.
  uint64_t device = 0, inode = 0;
  /// Of Absent, in a directory that is there: open(2) failed with neither ENOENT nor EACCES (a loop
  /// of links, a name too long). The rest of that list is not searched; the next list is.
  bool blocked = false;
  /// Of Fatal: glibc says it of the name that was asked for, not of the path: what it sees behind
  /// the header.
  bool namesRequest = false;
  /// Of Fatal: mapping it ends the process (SIGBUS).
  bool endsProcess = false;
  /// Of a file that is there and cannot be loaded: what else is known of it ("mode 0600 of root"),
  /// and the package that brought it, as LoadResult has them.
  std::string detail, package;
};

/// What glibc 2.36 says of a regular file by its first 64 bytes (\p start is shorter where the file
/// is) and by its machine: Good without facts, Foreign or Fatal. LS-17, LS-18. \p machine is that
/// of the process, as ELF e_machine; the process is 64-bit and little-endian.
Candidate judgeHeader(llvm::StringRef start, uint16_t machine);

/// A directory where a file was looked for.
Candidate directoryCandidate();

} // namespace cudacc::loader
