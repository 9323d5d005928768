// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/LogText.h"

namespace cudacc::explain {

/// ECMA-48 sequences: `ESC [ ... letter`; `ESC ] ... BEL` or `ESC ] ... ESC \`; `ESC letter`.
bool LogText::inSequence(unsigned char byte) {
  switch (escape) {
  case Escape::None:
    return false;
  case Escape::Begun:
    escape = byte == '[' ? Escape::Sequence : byte == ']' ? Escape::Text : Escape::None;
    return true;
  case Escape::Sequence:
    if (byte >= 0x40 && byte <= 0x7e)
      escape = Escape::None;
    // An incomplete sequence must not consume the rest of the log.
    if (byte == '\n') {
      escape = Escape::None;
      return false;
    }
    return true;
  case Escape::Text:
    if (byte == '\n') {
      escape = Escape::None;
      return false;
    }
    if (byte == '\a')
      escape = Escape::None;
    else if (byte == '\033')
      escape = Escape::TextEnd;
    return true;
  case Escape::TextEnd:
    escape = Escape::None;
    return true;
  }
  return false;
}

void LogText::blank() {
  if (begins && marker)
    ++marker;
  else
    blankDue = true;
}

/// An `E` at the beginning of a line followed by at most one blank is text, not pytest's marker.
void LogText::flush(std::string &out) {
  if (marker == 0)
    return;
  if (marker <= 2) {
    out += 'E';
    begins = false;
    blankDue = marker == 2;
  }
  marker = 0;
}

void LogText::visible(unsigned char byte, std::string &out) {
  if (begins && marker == 0 && byte == 'E') {
    marker = 1;
    return;
  }
  flush(out);
  if (blankDue && !begins)
    out += ' ';
  blankDue = begins = false;
  out += char(byte);
}

void LogText::endLine(std::string &out) {
  flush(out);
  if (!begins)
    out += '\n';
  begins = true;
  blankDue = false;
}

/// Replaces box drawing characters (U+2500 to U+257F) by a blank, U+2018 and U+2019 by a straight
/// quote.
bool LogText::inCharacter(unsigned char byte, std::string &out) {
  if (held.empty()) {
    if (byte != 0xe2)
      return false;
    held = char(byte);
    return true;
  }
  held += char(byte);
  if (held.size() == 2 && (byte == 0x94 || byte == 0x95 || byte == 0x80))
    return true;
  std::string character;
  std::swap(character, held);
  auto second = static_cast<unsigned char>(character[1]);
  if (character.size() == 3 && second != 0x80 && byte >= 0x80) {
    blank();
    return true;
  }
  if (character.size() == 3 && (byte == 0x98 || byte == 0x99)) {
    visible('\'', out);
    return true;
  }
  for (char each : llvm::StringRef(character).drop_back())
    visible(static_cast<unsigned char>(each), out);
  take(byte, out);
  return true;
}

void LogText::take(unsigned char byte, std::string &out) {
  if (byte == 0 || inSequence(byte) || inCharacter(byte, out))
    return;
  if (byte == '\033')
    escape = Escape::Begun;
  else if (byte == '\n') {
    endLine(out);
    ++ended;
  } else if (byte == '\r')
    endLine(out);
  else if (byte <= ' ' || byte == 0x7f)
    blank();
  else
    visible(byte == '`' ? '\'' : byte, out);
}

static bool isPlain(char byte) { return byte > ' ' && byte < 0x7f && byte != '`'; }

void LogText::add(llvm::StringRef bytes, std::string &out) {
  while (!bytes.empty()) {
    // Fast path: within a word nothing is held back.
    if (escape == Escape::None && held.empty() && !begins && !blankDue) {
      llvm::StringRef word = bytes.take_while(isPlain);
      out += word;
      bytes = bytes.drop_front(word.size());
    }
    if (bytes.empty())
      return;
    take(static_cast<unsigned char>(bytes.front()), out);
    bytes = bytes.drop_front();
  }
}

void LogText::finish(std::string &out) {
  std::string rest;
  std::swap(rest, held);
  for (char byte : rest)
    visible(static_cast<unsigned char>(byte), out);
  endLine(out);
}

} // namespace cudacc::explain
