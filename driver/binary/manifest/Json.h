// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::binary {

/// A value of the manifest's JSON: exactly the subset of MJ-1 and MJ-2. Numbers are at most 2^53-1.
struct Json : support::Value {
  Json() { kind = Kind::Table; }

  static Json of(uint64_t number);
  /// Bytes that MJ-2 does not allow are percent-encoded. `%` is itself an allowed byte and is not
  /// encoded, so readers must not decode.
  static Json of(llvm::StringRef text);
  /// A set: sorted bytewise, without duplicates (MJ-3) and without empty strings.
  static Json set(std::vector<std::string> texts);

  /// Adds or replaces a member, sorted bytewise by key. An empty text is not added (MJ-1: absent
  /// means unknown).
  void set(llvm::StringRef key, Json value);
  /// The canonical text (MJ-1).
  std::string str() const;

  /// Strict parser within RD-6: at most 64 KiB, four levels of nesting, 256 keys per object; no
  /// duplicate keys, white space, escapes or floats. On failure, returns std::nullopt and sets
  /// \p problem to what is wrong and where.
  static std::optional<Json> parse(llvm::StringRef text, std::string &problem);
};

} // namespace cudacc::binary
