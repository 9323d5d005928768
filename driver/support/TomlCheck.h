// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// No program writes more: levels in each other; values; parts of tables' names, where the time of
/// toml++ grows with their square; characters of a number or date, of which toml++ looks back at
/// 127.
constexpr unsigned deepestToml = 64, mostTomlValues = 1 << 20, mostTomlNames = 1 << 16,
                   longestTomlNumber = 100;

/// \p text as toml++ 3.3 reads it in bounded time and without undefined behaviour, or nothing, with
/// \p error set. Everything else that is wrong with it is left to toml++. Other than a byte order
/// mark, only what that library cannot take in a legal text is written in another way.
std::optional<std::string> checkToml(llvm::StringRef text, TextError &error);

} // namespace cudacc::support
