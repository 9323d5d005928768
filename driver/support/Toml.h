// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// Reads one TOML text; tables have their keys in the order of the alphabet. Hostile nesting is
/// refused where it begins (F24). Nothing, with \p error set: it is not valid.
std::optional<Value> readToml(llvm::StringRef text, TextError &error);

/// \p table as TOML: keys before tables, each in the order of the alphabet. Its end is a line end.
std::string writeToml(const Value &table);

} // namespace cudacc::support
