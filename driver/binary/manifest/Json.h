#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::binary {

/// A value of the manifest's JSON: the subset of elf.md MJ-1 and MJ-2, nothing else.
struct Json {
  enum class Kind { Number, Text, List, Object };
  Kind kind = Kind::Object;
  /// At most 2^53-1.
  uint64_t number = 0;
  std::string text;
  /// Elements of a list, values of an object.
  std::vector<Json> items;
  /// Keys of an object, each at the index of its value; sorted by byte when made by `set`.
  std::vector<std::string> keys;

  static Json of(uint64_t number);
  /// Bytes that MJ-2 does not allow are percent-encoded; `%` itself is an allowed byte and stays,
  /// so a reader must not decode.
  static Json of(llvm::StringRef text);
  /// A set: sorted by byte, each once (MJ-3). Empty strings are left out.
  static Json set(std::vector<std::string> texts);

  /// Adds or replaces a member. An empty text is left out (MJ-1: absent means unknown).
  void set(llvm::StringRef key, Json value);
  const Json *find(llvm::StringRef key) const;
  /// The canonical text (MJ-1).
  std::string str() const;

  /// Strict, within RD-6: 64 KiB, four levels of nesting, 256 keys per object, no duplicate key, no
  /// whitespace, no escape, no float. On failure nothing, and \p problem says what and where.
  static std::optional<Json> parse(llvm::StringRef text, std::string &problem);
};

} // namespace cudacc::binary
