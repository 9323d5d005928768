// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/BinaryFacts.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::loader {

inline constexpr char DanglingLink[] = "dangling link";

/// The result of opening a path as the loader does.
struct Candidate {
  enum class Kind {
    Absent,
    /// Another ELF class or machine: skipped, the search goes on (LS-17).
    Foreign,
    /// Empty, too short, a linker script or a directory: the search fails (LS-18).
    Fatal,
    Good,
    /// Exists, but cuda-cc could not read its facts.
    Unreadable,
  };
  Kind kind = Kind::Absent;
  /// Fatal: glibc's wording that follows the path. Foreign and Unreadable: the reason; "wrong ELF
  /// class: ELFCLASS32" is remembered by glibc until the end of the search. Absent: strerror's text
  /// unless it is that of ENOENT ("Permission denied", "Not a directory"), or DanglingLink.
  std::string reason;
  /// Set for Good and Unreadable; valid during the look-up. Null if only the name is known.
  const core::BinaryFacts *facts = nullptr;
  /// Identify the file; an inode of 0 means unknown.
  uint64_t device = 0, inode = 0;
  /// Absent, in an existing directory: open(2) failed with neither ENOENT nor EACCES (a loop of
  /// symbolic links, a name too long). The rest of that list is skipped; the next list is searched.
  bool blocked = false;
  /// The message has the requested name instead of the path. Fatal: as glibc's for faults found
  /// after the ELF header. Unreadable: the path is not known.
  bool namesRequest = false;
  /// Fatal: mapping the file ends the process (SIGBUS).
  bool endsProcess = false;
  /// For a file that exists but cannot be loaded: details ("mode 0600 of root") and the package
  /// that owns it, as in LoadResult.
  std::string detail, package;
};

/// The result for a directory found where a file was expected.
inline Candidate directoryCandidate() {
  Candidate result;
  result.kind = Candidate::Kind::Fatal;
  result.reason = "cannot read file data: Is a directory";
  return result;
}

} // namespace cudacc::loader
