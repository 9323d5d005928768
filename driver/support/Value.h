// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::support {

/// A JSON, TOML or YAML text as one tree, in the order of the text (TOML: of the keys).
struct Value {
  /// None: null, and TOML's dates. YAML's scalars are all Text.
  enum class Kind { None, Text, Number, Boolean, List, Table };
  Kind kind = Kind::None;
  /// 1-based, 0: unknown. The line is that of the key in a table; the columns are TOML's alone.
  unsigned line = 0, column = 0, keyColumn = 0;
  /// Text; numbers and truth values as they are written (TOML: integers in decimal, floats empty).
  std::string text;
  /// Table: as many as `items`, each once.
  std::vector<std::string> keys;
  std::vector<Value> items;

  static Value of(llvm::StringRef text);
  static Value of(const std::vector<std::string> &texts);
  static Value table();
  /// \p key is new to this table.
  Value &add(llvm::StringRef key, Value item);

  bool isNull() const { return kind == Kind::None; }
  bool isTable() const { return kind == Kind::Table; }
  bool isList() const { return kind == Kind::List; }
  bool isText() const { return kind == Kind::Text; }
  /// Has `text`.
  bool isScalar() const { return isText() || kind == Kind::Number || kind == Kind::Boolean; }
  /// Null: not a table, or no such key.
  const Value *find(llvm::StringRef key) const;
  /// Of a scalar; empty where there is none.
  llvm::StringRef textAt(llvm::StringRef key) const;
  /// The items of the list below \p key; empty where there is none.
  llvm::ArrayRef<Value> listAt(llvm::StringRef key) const;
  /// Scalars of a list, other items left out.
  std::vector<llvm::StringRef> texts() const;
  /// Of a Number without fraction or exponent, within 64 bits.
  std::optional<int64_t> integer() const;
};

/// Why a text could not be read. 1-based; columns count bytes in JSON, characters in TOML.
struct TextError {
  unsigned line = 0, column = 0;
  std::string why;
};

} // namespace cudacc::support
