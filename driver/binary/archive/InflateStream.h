// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>

namespace cudacc::binary {

/// A place in a raw deflate stream (RFC 1951), from which it is inflated piece by piece. Memory is
/// at most 88 KiB whatever the stream says.
class InflateStream {
public:
  enum class Status { More, ExitStatus, Damaged };

  InflateStream();
  ~InflateStream();
  InflateStream(const InflateStream &) = delete;
  InflateStream &operator=(const InflateStream &) = delete;

  /// False: there was no memory for it.
  bool good() const { return bool(state); }
  /// The same place, from which it can be inflated once more.
  std::unique_ptr<InflateStream> copy() const;
  /// Inflates until \p in is used up, \p out is full or the stream ends; both are shortened by what
  /// was used and made.
  Status inflate(llvm::ArrayRef<char> &in, llvm::MutableArrayRef<char> &out);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// That of the zip format. \p crc is the one of what precedes, 0 at the beginning.
uint32_t crcOf(uint32_t crc, llvm::ArrayRef<char> bytes);

} // namespace cudacc::binary
