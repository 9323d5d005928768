// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>

namespace cudacc::binary {

/// A position in a raw deflate stream (RFC 1951) from which it is inflated piece by piece. Uses at
/// most 88 KiB of memory, whatever the stream contains.
class InflateStream {
public:
  enum class Status { More, ExitStatus, Damaged };

  InflateStream();
  ~InflateStream();
  InflateStream(const InflateStream &) = delete;
  InflateStream &operator=(const InflateStream &) = delete;

  /// Returns false if allocating the state failed.
  bool good() const { return bool(state); }
  /// A stream at the same position, to inflate from here again.
  std::unique_ptr<InflateStream> copy() const;
  /// Inflates until \p in is consumed, \p out is full or the stream ends. Drops what was consumed
  /// from \p in and what was written from \p out.
  Status inflate(llvm::ArrayRef<char> &in, llvm::MutableArrayRef<char> &out);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The CRC of the zip format. \p crc is that of the preceding bytes, 0 at the beginning.
uint32_t crcOf(uint32_t crc, llvm::ArrayRef<char> bytes);

} // namespace cudacc::binary
