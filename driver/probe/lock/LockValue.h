// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"
#include "llvm/Support/Error.h"

namespace cudacc::probe {

using support::Value;

/// Levels and values that a lock may have; no tool writes so many.
constexpr unsigned deepestLock = 64, mostLockValues = 1 << 20;

/// `uv.lock:12 is not valid TOML`.
llvm::Error brokenLock(llvm::StringRef shown, unsigned line, llvm::StringRef what,
                       llvm::StringRef why);

/// Errors: BrokenConfig naming \p shown with the line. Deep nesting is refused before anything
/// recurses (F24).
llvm::Expected<Value> parseTomlLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseJsonLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseYamlLock(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::probe
