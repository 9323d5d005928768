// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Declaration.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::core {

enum class Key : uint8_t {
#define SETTING(Id, ...) Id,
#include "driver/config/settings.def"
};
inline constexpr size_t keyCount = 0
#define SETTING(...) +1
#include "driver/config/settings.def"
    ;

/// What is known of a setting: a row of settings.def.
struct KeyInfo {
  /// Pairs: texts `NAME=VALUE`, in a file also a table of names and values.
  enum class ValueType : uint8_t { Text, Texts, Flag, Pairs };
  /// Joined: `--cudacc-NAME=VALUE`; Switch: the value may be left away; On: there is none.
  enum class Option : uint8_t { Joined, Switch, On };
  /// Call: what is made is the same with another value, so a call may say something else than the
  /// toolchain directory it is made in.
  enum class Scope : uint8_t { Directory, Call };
  enum class Shown : uint8_t { Always, IfSet };

  Key key;
  /// In a file.
  llvm::StringLiteral name;
  ValueType type;
  Option option;
  /// Empty: none.
  llvm::StringLiteral variable;
  /// What stands for its value in help: `REQ`.
  llvm::StringLiteral placeholder;
  /// As people read them; "any" forms are described in words.
  llvm::StringLiteral allowed, fallback;
  /// Words that "did you mean" may offer, separated by blanks.
  llvm::StringLiteral words;
  Scope scope;
  /// In JSON.
  Shown shown;
  /// Values that only restrict, or say what holds without them, separated by blanks: those a file
  /// that somebody else can write may have (F12). Of `runtime` and `severity` each entry is asked
  /// (config::onlyRestricts).
  llvm::StringLiteral restricting;
  /// A sentence for help.
  llvm::StringLiteral help;

  /// `--cudacc-install-dir`.
  std::string optionName() const;
  /// Several values are one value each.
  bool isList() const { return type == ValueType::Texts || type == ValueType::Pairs; }
};

/// In the order of settings.def, which is that of Key.
llvm::ArrayRef<KeyInfo> allKeys();
const KeyInfo &info(Key key);

/// Calls \p visit with the field of \p declaration that holds the setting.
template <typename D, typename Visitor>
decltype(auto) visitSetting(Key key, D &declaration, Visitor &&visit) {
  switch (key) {
#define SETTING(Id, Field, ...)                                                                    \
  case Key::Id:                                                                                    \
    return visit(declaration.Field);
#include "driver/config/settings.def"
  }
  return visit(declaration.runtime);
}

/// The setting's value as one text, for comparison, and where it was set; an empty origin, or that
/// of a default, means that nobody set it.
std::string valueOf(Key key, const Declaration &declaration);
Origin originOf(Key key, const Declaration &declaration);
/// The same with each value of a list by itself.
std::vector<Setting<std::string>> valuesOf(Key key, const Declaration &declaration);

} // namespace cudacc::core
