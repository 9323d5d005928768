// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/core/Settings.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace cudacc::config {

/// Whether a value of the key, or one of its list's, is obeyed whoever wrote it; of `env:PATH` and
/// `lock:PATH` the place decides, and it is not.
bool onlyRestricts(core::Key key, llvm::StringRef value);
/// Null: no key.
const core::KeyInfo *findKey(llvm::StringRef name);
/// Code::UnknownKey; for what is a requirement and no key it says how that is written.
llvm::Error unknownKey(llvm::StringRef name, const core::Origin &origin);

/// Texts with the place each was written at; empty: the source says nothing about the key.
using Given = std::vector<core::Setting<std::string>>;
using GivenKeys = std::array<Given, core::keyCount>;

/// Puts \p given into \p declaration. Error: Code::BadValue with place, allowed values, default and
/// the nearest value (V-MD-02).
llvm::Error apply(core::Key key, const Given &given, core::Declaration &declaration);
/// What one key alone cannot tell: `develop = true` has no directories to add without an
/// environment. Error: Code::BadValue.
llvm::Error checkTogether(const core::Declaration &declaration);
/// Code::BadValue for a value of the wrong type; \p got is "a number".
llvm::Error wrongType(core::Key key, llvm::StringRef got, const core::Origin &origin);

/// \p path on \p folder where it is relative; `~` is left.
std::string resolvePathAgainst(llvm::StringRef path, llvm::StringRef folder, core::Files &files);
/// The requirement with the path of `env:PATH` or `lock:PATH` on \p folder where it is relative;
/// `~` is left.
std::string resolveAgainst(llvm::StringRef requirement, llvm::StringRef folder, core::Files &files);

/// `pyproject.toml:14:11`, or Origin::str() where there is no column.
std::string placeOf(const core::Origin &origin);

} // namespace cudacc::config
