// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// What a text may cost before it is refused. Nothing recurses deeper than `depth`.
struct JsonLimits {
  size_t bytes = 64 << 20;
  unsigned depth = 64;
  size_t values = 1 << 20;
};

/// Reads one JSON text (RFC 8259) that others wrote. It must be UTF-8 without byte order mark; a
/// key that occurs twice in an object is an error, because readers differ in which one they take;
/// half of a surrogate pair becomes U+FFFD. Nothing, with \p error set: it is not valid, or beyond
/// \p limits.
std::optional<Value> readJson(llvm::StringRef text, TextError &error,
                              const JsonLimits &limits = {});

} // namespace cudacc::support
