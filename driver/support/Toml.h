// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// Parses one TOML text. Keys of tables are sorted. Excessive nesting is rejected where it begins
/// (F24). Returns std::nullopt and sets \p error if the text is invalid.
std::optional<Value> readToml(llvm::StringRef text, TextError &error);

/// \p table as TOML: keys before tables, both sorted. Ends in a newline.
std::string writeToml(const Value &table);

} // namespace cudacc::support
