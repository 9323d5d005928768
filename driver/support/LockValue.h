#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cudacc::support {

/// A TOML, JSON or YAML text as one tree, with the line on which each value stands.
struct LockValue {
  enum class Kind { None, Text, List, Table };
  Kind kind = Kind::None;
  /// 1-based; 0: not known.
  unsigned line = 0;
  /// Text, and numbers and truth values as they are written (TOML: integers in decimal, no floats).
  std::string text;
  /// Table: as many as `items`.
  std::vector<std::string> keys;
  std::vector<LockValue> items;

  bool isTable() const { return kind == Kind::Table; }
  bool isList() const { return kind == Kind::List; }
  bool isText() const { return kind == Kind::Text; }
  /// Null: not a table, or no such key.
  const LockValue *find(llvm::StringRef key) const;
  /// Empty where there is none.
  llvm::StringRef textAt(llvm::StringRef key) const;
  /// The items of the list below \p key; empty where there is none.
  llvm::ArrayRef<LockValue> listAt(llvm::StringRef key) const;
  /// Texts of a list, other items left out.
  std::vector<llvm::StringRef> texts() const;
};

/// Levels and values that a lock may have; no tool writes so many.
constexpr unsigned deepestLock = 64, mostLockValues = 1 << 20;

/// `uv.lock:12 is not valid TOML`.
llvm::Error brokenLock(llvm::StringRef shown, unsigned line, llvm::StringRef what,
                       llvm::StringRef why);

/// Errors: BrokenConfig naming \p shown with the line. Deep nesting is refused before anything
/// recurses (F24).
llvm::Expected<LockValue> parseTomlLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<LockValue> parseJsonLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<LockValue> parseYamlLock(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::support
