// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Settings.h"
#include "driver/support/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace cudacc::config {

/// A key of `[tool.cuda-cc]` that only the PEP 517 backend reads: a BACKEND_KEY of settings.def.
struct BackendKey {
  llvm::StringLiteral name;
  core::KeyInfo::ValueType type;
  /// Allowed values, as shown to users.
  llvm::StringLiteral allowed;
};

llvm::ArrayRef<BackendKey> backendKeys();
/// Null if there is no such key.
const BackendKey *findBackendKey(llvm::StringRef name);

/// `backend` is also a setting: whether \p value is one of its words, and so no module that builds
/// a package.
bool meansSetting(const BackendKey &key, const support::Value &value);

/// Checks the form of what a file gives for the key; \p shown is the file. Errors: BadValue, also
/// for every value in a cuda-cc.toml, which the backend does not read.
llvm::Error checkBackendKey(const BackendKey &key, const support::Value &value,
                            llvm::StringRef shown);

/// The error about a key of the backend in another file. \p table: where it belongs.
llvm::Error onlyInPyproject(llvm::StringRef key, llvm::StringRef table, const core::Origin &at);

} // namespace cudacc::config
