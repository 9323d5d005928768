// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace cudacc::support {

/// SHA-256 (FIPS 180-4) of bytes given piece by piece. llvm::SHA256 counts bits in 32 bits: up to
/// LLVM 19 its digest of 512 MiB and more is wrong, and there are libraries of that size.
class Sha256 {
public:
  using Digest = std::array<uint8_t, 32>;

  void add(llvm::StringRef bytes);
  /// Of all bytes so far; none may follow.
  Digest finish();
  static Digest of(llvm::StringRef bytes);

private:
  static constexpr size_t BlockSize = 64;

  std::array<uint32_t, 8> state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, BlockSize> partial{};
  uint64_t count = 0;

  void block(const char *bytes);
};

} // namespace cudacc::support
