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

/// Whether a value of the key, or one element of its list, applies from files that are not trusted.
/// False for `env:PATH` and `lock:PATH`, where the trust of the path decides.
bool onlyRestricts(core::Key key, llvm::StringRef value);
/// Null if there is no such key.
const core::KeyInfo *findKey(llvm::StringRef name);
/// Returns Code::UnknownKey; for the name of a requirement it shows how to write that.
llvm::Error unknownKey(llvm::StringRef name, const core::Origin &origin);

/// The texts given for one key, with the place of each; empty if the source does not set the key.
using Given = std::vector<core::Setting<std::string>>;
using GivenKeys = std::array<Given, core::keyCount>;

/// Parses \p given into \p declaration. Errors: BadValue with place, allowed values, default and
/// the nearest value (V-MD-02).
llvm::Error apply(core::Key key, const Given &given, core::Declaration &declaration);
/// Checks rules across keys: `develop = true` needs an environment, as it adds its directories.
/// Errors: BadValue.
llvm::Error checkTogether(const core::Declaration &declaration);
/// Returns Code::BadValue for a value of the wrong type; \p got is, for example, "a number".
llvm::Error wrongType(core::Key key, llvm::StringRef got, const core::Origin &origin);

/// \p path, resolved against \p folder if it is relative; `~` is kept.
std::string resolvePathAgainst(llvm::StringRef path, llvm::StringRef folder, core::Files &files);
/// The requirement, with a relative path in `env:PATH` or `lock:PATH` resolved against \p folder;
/// `~` is kept.
std::string resolveAgainst(llvm::StringRef requirement, llvm::StringRef folder, core::Files &files);

/// `pyproject.toml:14:11`, or Origin::str() if there is no column.
std::string placeOf(const core::Origin &origin);

} // namespace cudacc::config
