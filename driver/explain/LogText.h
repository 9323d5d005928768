// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::explain {

/// Normalizes a log for matching, byte by byte. Drops escape sequences, NULs, empty lines, blanks
/// at both ends of a line, and what pytest and rich put around a line (`E `, frames). Reduces runs
/// of blanks to one, and typographic quotes and backquotes to straight quotes. Bytes that are no
/// text pass through.
class LogText {
public:
  /// Appends to \p out, with a newline after each line that is not empty; lines() counts empty
  /// lines too.
  void add(llvm::StringRef bytes, std::string &out);
  /// Appends what add() held back.
  void finish(std::string &out);
  /// Number of lines that have ended so far.
  uint64_t lines() const { return ended; }

private:
  void take(unsigned char byte, std::string &out);
  bool inSequence(unsigned char byte);
  void visible(unsigned char byte, std::string &out);
  void flush(std::string &out);
  void blank();
  void endLine(std::string &out);
  bool inCharacter(unsigned char byte, std::string &out);

  enum class Escape : uint8_t { None, Begun, Sequence, Text, TextEnd };
  Escape escape = Escape::None;
  /// Bytes of an incomplete character that may be a frame or a quote.
  std::string held;
  /// At the beginning of a line; a blank is due; and `marker`: characters read of pytest's `E` and
  /// the blanks after it.
  bool begins = true, blankDue = false;
  unsigned marker = 0;
  uint64_t ended = 0;
};

} // namespace cudacc::explain
