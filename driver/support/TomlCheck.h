// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// Limits that no program exceeds: nesting depth; number of values; parts of table names, on which
/// toml++ spends quadratic time; characters of a number or date, where toml++ looks back over 127.
constexpr unsigned deepestToml = 64, mostTomlValues = 1 << 20, mostTomlNames = 1 << 16,
                   longestTomlNumber = 100;

/// Returns \p text so that toml++ 3.3 parses it in bounded time and without undefined behaviour, or
/// std::nullopt with \p error set. All other errors are left to toml++. Besides dropping a byte
/// order mark, it rewrites only valid constructs that toml++ cannot handle.
std::optional<std::string> checkToml(llvm::StringRef text, TextError &error);

} // namespace cudacc::support
