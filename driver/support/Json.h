// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/support/Value.h"

namespace cudacc::support {

/// Limits on the input; text beyond them is rejected. Recursion never exceeds `depth`.
struct JsonLimits {
  size_t bytes = 64 << 20;
  unsigned depth = 64;
  size_t values = 1 << 20;
};

/// Parses one untrusted JSON text (RFC 8259). It must be UTF-8 without byte order mark. A duplicate
/// key in an object is an error, because readers differ in which one they use. Half of a surrogate
/// pair becomes U+FFFD. Returns std::nullopt and sets \p error if the text is invalid or exceeds \p
/// limits.
std::optional<Value> readJson(llvm::StringRef text, TextError &error,
                              const JsonLimits &limits = {});

} // namespace cudacc::support
