// SPDX-License-Identifier: Apache-2.0
#include "driver/core/BinaryFacts.h"

const char *cudacc::core::str(BinaryKind kind) {
  static constexpr const char *words[] = {"shared object", "executable",  "object",
                                          "archive",       "device code", "other"};
  return words[size_t(kind)];
}
