// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cudacc::explain {

/// A log as a person reads it, byte by byte: without escape sequences and NULs, runs of blanks as
/// one, lines without blanks at their ends, empty lines left out, without what pytest and rich put
/// around a line (`E   `, frames); typographic and reversed quotes are straight ones. What is no
/// text passes through.
class LogText {
public:
  /// Appends to \p out; a newline where a line ended, which counts also where none is written.
  void add(llvm::StringRef bytes, std::string &out);
  /// What was held back.
  void finish(std::string &out);
  /// Lines that have ended so far.
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
  /// Bytes of a character that may be a frame or a quote.
  std::string held;
  /// At the beginning of the line, a blank is due, and the `E` of pytest with the blanks behind it.
  bool begins = true, blankDue = false;
  unsigned marker = 0;
  uint64_t ended = 0;
};

} // namespace cudacc::explain
