// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::support {

/// A JSON, TOML or YAML document as a tree, in the order of the text (TOML: sorted by key).
struct Value {
  /// None: null, and TOML dates. All YAML scalars are Text.
  enum class Kind { None, Text, Number, Boolean, List, Table };
  Kind kind = Kind::None;
  /// 1-based; 0 if unknown. In a table the line is that of the key. Only TOML sets columns.
  unsigned line = 0, column = 0, keyColumn = 0;
  /// The string, or a number or boolean as written (TOML: integers in decimal, floats empty).
  std::string text;
  /// For a table: one unique key per item.
  std::vector<std::string> keys;
  std::vector<Value> items;

  static Value of(llvm::StringRef text);
  static Value of(const std::vector<std::string> &texts);
  static Value table();
  /// \p key must be new to this table.
  Value &add(llvm::StringRef key, Value item);

  bool isNull() const { return kind == Kind::None; }
  bool isTable() const { return kind == Kind::Table; }
  bool isList() const { return kind == Kind::List; }
  bool isText() const { return kind == Kind::Text; }
  /// True for kinds that have `text`.
  bool isScalar() const { return isText() || kind == Kind::Number || kind == Kind::Boolean; }
  /// Null if this is no table or lacks the key.
  const Value *find(llvm::StringRef key) const;
  /// The text of a scalar below \p key. Empty if there is none.
  llvm::StringRef textAt(llvm::StringRef key) const;
  /// The items of the list below \p key. Empty if there is none.
  llvm::ArrayRef<Value> listAt(llvm::StringRef key) const;
  /// The scalars of a list; other items are skipped.
  std::vector<llvm::StringRef> texts() const;
  /// The value of a Number without fraction or exponent that fits 64 bits.
  std::optional<int64_t> integer() const;
};

/// Why a text could not be parsed. 1-based; columns count bytes in JSON, characters in TOML.
struct TextError {
  unsigned line = 0, column = 0;
  std::string why;
};

} // namespace cudacc::support
