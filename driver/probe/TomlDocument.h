#pragma once

#include "driver/probe/Toml.h"
#include <map>
#include <memory>

namespace cudacc::probe {

struct TomlTable;

/// A value of a TOML text, with its place there.
struct TomlValue {
  enum class Kind { String, Integer, Float, Boolean, Date, List, Table };
  Kind kind = Kind::Table;
  TomlPlace at;
  /// String: its characters; other scalars: as they are written.
  std::string text;
  /// List.
  std::vector<TomlValue> items;
  /// List: made by `[[name]]`.
  bool isOfTables = false;
  /// Table; else null.
  std::unique_ptr<TomlTable> table;

  TomlValue();
  TomlValue(TomlValue &&) noexcept;
  TomlValue &operator=(TomlValue &&) noexcept;
  ~TomlValue();
};

struct TomlTable {
  struct Member {
    std::string name;
    TomlPlace at;
    TomlValue value;
  };
  /// In the order in which they were first written.
  std::vector<Member> members;
  /// Indices into `members`.
  std::map<std::string, size_t, std::less<>> byName;
  /// A header or a value defined it: it is not defined again.
  bool isDefined = false;
  /// `{...}`: nothing is added to it.
  bool isInline = false;
  /// Made by a dotted key; which part of the text had it (a header begins one), else 0. Dotted keys
  /// of the same part add to it.
  unsigned dottedIn = 0;

  /// Null: no such member.
  TomlValue *find(llvm::StringRef name);
  const TomlValue *find(llvm::StringRef name) const;
  TomlValue &add(llvm::StringRef name, TomlPlace at, TomlValue value);
};

struct TomlError {
  TomlPlace at;
  std::string why;
};

/// Levels of tables and lists in each other, and values in one text; no program writes so many.
constexpr unsigned deepestToml = 64, mostTomlValues = 1 << 20;

/// Reads TOML 1.0; the table of the whole text, or nothing, with \p error set. Foreign text: time
/// and memory are bounded by its length, levels and values by the constants above. An integer has
/// 64 bits, a byte order mark in front is passed over.
std::unique_ptr<TomlTable> parseToml(llvm::StringRef text, TomlError &error);

} // namespace cudacc::probe
