// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"
#include "llvm/Support/Error.h"

namespace cudacc::probe {

using support::Value;

/// Upper limits for nesting and number of values; no tool writes that many.
constexpr unsigned deepestLock = 64, mostLockValues = 1 << 20;

/// Creates an error such as `uv.lock:12 is not valid TOML`.
llvm::Error brokenLock(llvm::StringRef shown, unsigned line, llvm::StringRef what,
                       llvm::StringRef why);

/// Errors: BrokenConfig with \p shown and the line. Deep nesting is rejected before any recursive
/// function sees it (F24).
llvm::Expected<Value> parseTomlLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseJsonLock(llvm::StringRef text, llvm::StringRef shown);
llvm::Expected<Value> parseYamlLock(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::probe
