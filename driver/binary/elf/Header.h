// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cudacc::binary {

/// glibc's wording.
inline constexpr char TooShort[] = "file too short";

/// Why the loader does not load a file with this header.
struct HeaderFault {
  /// glibc's words; for a foreign file the reason.
  std::string words;
  /// Another ELF class or machine: skipped, the search goes on (LS-17). Otherwise the search fails
  /// (LS-18).
  bool isForeign = false;
  /// The file is complete, but a program, which dlopen refuses under the name that was asked for.
  bool isProgram = false;
};

/// Checks what glibc 2.36 checks in the first 64 bytes of a regular file, in its order; \p start is
/// shorter if the file is. \p machine is the ELF e_machine of the process, which is 64-bit and
/// little-endian.
std::optional<HeaderFault> headerFault(llvm::StringRef start, uint16_t machine);

} // namespace cudacc::binary
