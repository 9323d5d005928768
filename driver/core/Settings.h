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

/// Metadata of a setting: one row of settings.def.
struct KeyInfo {
  /// Pairs: strings `NAME=VALUE`; in a file also a table of names and values.
  enum class ValueType : uint8_t { Text, Texts, Flag, Pairs };
  /// Joined: `--cudacc-NAME=VALUE`. Switch: the value is optional. On: it takes no value.
  enum class Option : uint8_t { Joined, Switch, On };
  /// Call: the setting does not affect the contents of a toolchain directory, so a call may
  /// override the value that the directory was made with.
  enum class Scope : uint8_t { Directory, Call };
  enum class Shown : uint8_t { Always, IfSet };

  Key key;
  /// Key in a configuration file.
  llvm::StringLiteral name;
  ValueType type;
  Option option;
  /// Environment variable. Empty if there is none.
  llvm::StringLiteral variable;
  /// Placeholder for the value in help: `REQ`.
  llvm::StringLiteral placeholder;
  /// Allowed values and default, as shown to users. Free-form values are described in words.
  llvm::StringLiteral allowed, fallback;
  /// Values that "did you mean" may suggest, separated by spaces.
  llvm::StringLiteral words;
  Scope scope;
  /// When the setting appears in JSON.
  Shown shown;
  /// Values that only restrict the build or equal the default, separated by spaces. A file that
  /// other users can write may set only these (F12). Entries of `runtime` and `severity` are
  /// checked one by one (config::onlyRestricts).
  llvm::StringLiteral restricting;
  /// One sentence for help.
  llvm::StringLiteral help;

  /// `--cudacc-install-dir`.
  std::string optionName() const;
  /// The setting can be given several times; each occurrence adds a value.
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

/// The setting's value as one string, for comparison, and its origin. The origin is empty or
/// Default if nobody set it.
std::string valueOf(Key key, const Declaration &declaration);
Origin originOf(Key key, const Declaration &declaration);
/// The same, with one entry per value of a list.
std::vector<Setting<std::string>> valuesOf(Key key, const Declaration &declaration);

} // namespace cudacc::core
