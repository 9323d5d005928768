// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/binary/elf/Bytes.h"

namespace cudacc::binary {

/// Scans a part of a file in words of eight bytes, reading large pieces in sequence. Uses the
/// memory of one piece.
class WordFinder {
public:
  explicit WordFinder(Bytes &bytes) : bytes(bytes) {}

  /// Offset of the first word at or after \p at, in steps of eight, for which \p test holds; \p end
  /// if there is none. A remainder of less than eight bytes is ignored.
  template <typename Test> llvm::Expected<uint64_t> find(uint64_t at, uint64_t end, Test test) {
    while (at < end && end - at >= sizeof(uint64_t)) {
      auto words = piece(at, end);
      if (!words)
        return words.takeError();
      for (uint64_t i = 0; i + sizeof(uint64_t) <= words->size(); i += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, words->data() + i, sizeof(word));
        if (test(word))
          return at + i;
      }
      at += words->size() & ~uint64_t(7);
    }
    return end;
  }

private:
  static constexpr uint64_t PieceSize = 256 << 10;
  Bytes &bytes;
  uint64_t offset = 0, filled = 0;
  std::unique_ptr<char[]> data;

  /// The buffered bytes from \p at on, at least eight; \p end is at least that far away.
  llvm::Expected<llvm::StringRef> piece(uint64_t at, uint64_t end) {
    if (at < offset || at - offset > filled || filled - (at - offset) < sizeof(uint64_t)) {
      if (!data)
        data.reset(new char[PieceSize]);
      filled = 0;
      uint64_t size = std::min(PieceSize, end - at);
      if (auto error = bytes.readApart(at, {data.get(), size}, "a section"))
        return error;
      offset = at;
      filled = size;
    }
    uint64_t size = std::min(filled - (at - offset), end - at);
    return llvm::StringRef(data.get() + (at - offset), size);
  }
};

} // namespace cudacc::binary
