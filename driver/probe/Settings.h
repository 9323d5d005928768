#pragma once

#include "driver/core/Declaration.h"
#include "driver/core/Files.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace cudacc::probe {

enum class Key : uint8_t {
  Runtime,
  Enforce,
  Require,
  Toolkit,
  HostCompiler,
  Launcher,
  InstallDir,
  Layout,
  Dtags,
  Facts,
  Severity,
  Waive,
  AssumeForwardCompatibility,
  Strict,
  Develop,
  Manifest,
};
inline constexpr size_t keyCount = size_t(Key::Manifest) + 1;

/// Pairs: texts `NAME=VALUE`, in a file also a table of names and values.
enum class ValueForm : uint8_t { Text, Texts, Flag, Pairs };

struct KeyInfo {
  Key key;
  /// In a file.
  llvm::StringLiteral name;
  ValueForm form;
  /// As people read them; "any" forms are described in words.
  llvm::StringLiteral allowed;
  llvm::StringLiteral fallback;
  /// Words that "did you mean" may offer, separated by blanks.
  llvm::StringLiteral words;
  /// What is made is the same with another value: a call may say something else than the toolchain
  /// directory it is made in.
  bool perCall = false;
  /// Values that only restrict, or say what holds without them, separated by blanks: those a file
  /// that somebody else can write may have (F12). Of `runtime` and `severity` each entry is asked
  /// (onlyRestricts).
  llvm::StringLiteral restricting = "";
};

llvm::ArrayRef<KeyInfo> allKeys();
const KeyInfo &info(Key key);
/// Whether a value of the key, or one of its list's, is obeyed whoever wrote it; of `env:PATH` and
/// `lock:PATH` the place decides, and it is not.
bool onlyRestricts(Key key, llvm::StringRef value);
/// Null: no key.
const KeyInfo *findKey(llvm::StringRef name);
/// Code::UnknownKey; for what is a requirement and no key it says how that is written.
llvm::Error unknownKey(llvm::StringRef name, const core::Origin &origin);

/// Texts with the place each was written at; empty: the source says nothing about the key.
using Given = std::vector<core::Setting<std::string>>;
using GivenKeys = std::array<Given, keyCount>;

/// Puts \p given into \p declaration. Error: Code::BadValue with place, allowed values, default and
/// the nearest value (V-MD-02).
llvm::Error apply(Key key, const Given &given, core::Declaration &declaration);
/// What one key alone cannot tell: `develop = true` has no directories to add without an
/// environment. Error: Code::BadValue.
llvm::Error checkTogether(const core::Declaration &declaration);
/// Code::BadValue for a value of the wrong type; \p got is "a number".
llvm::Error wrongType(Key key, llvm::StringRef got, const core::Origin &origin);

/// \p path on \p folder where it is relative; `~` is left.
std::string standingPath(llvm::StringRef path, llvm::StringRef folder, core::Files &files);
/// The requirement with the path of `env:PATH` or `lock:PATH` on \p folder where it is relative;
/// `~` is left.
std::string standing(llvm::StringRef requirement, llvm::StringRef folder, core::Files &files);

/// PATH of `env:PATH` and `lock:PATH`; empty: another requirement.
llvm::StringRef placeIn(llvm::StringRef requirement);

/// The key's value as one text, for comparison, and where it was set; an empty origin, or that of a
/// default, means that nobody set it.
std::string valueOf(Key key, const core::Declaration &declaration);
core::Origin originOf(Key key, const core::Declaration &declaration);

/// `pyproject.toml:14:11`, or Origin::str() where there is no column.
std::string placeOf(const core::Origin &origin);

} // namespace cudacc::probe
