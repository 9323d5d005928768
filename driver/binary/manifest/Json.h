// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::binary {

/// A value of the manifest's JSON: the subset of MJ-1 and MJ-2, nothing else. Numbers are at
/// most 2^53-1.
struct Json : support::Value {
  Json() { kind = Kind::Table; }

  static Json of(uint64_t number);
  /// Bytes that MJ-2 does not allow are percent-encoded; `%` itself is an allowed byte and stays,
  /// so a reader must not decode.
  static Json of(llvm::StringRef text);
  /// A set: sorted by byte, each once (MJ-3). Empty strings are left out.
  static Json set(std::vector<std::string> texts);

  /// Adds or replaces a member, sorted by byte. An empty text is left out (MJ-1: absent means
  /// unknown).
  void set(llvm::StringRef key, Json value);
  /// The canonical text (MJ-1).
  std::string str() const;

  /// Strict, within RD-6: 64 KiB, four levels of nesting, 256 keys per object, no duplicate key, no
  /// whitespace, no escape, no float. On failure nothing, and \p problem says what and where.
  static std::optional<Json> parse(llvm::StringRef text, std::string &problem);
};

} // namespace cudacc::binary
