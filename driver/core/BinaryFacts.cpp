// SPDX-License-Identifier: Apache-2.0
#include "driver/core/BinaryFacts.h"
#include "driver/versions/EnumWords.h"

const char *cudacc::core::str(BinaryKind kind) {
  static constexpr const char *words[] = {"shared object", "executable",  "object",
                                          "archive",       "device code", "other"};
  return cudacc::versions::entryOf<cudacc::core::BinaryKind::Other>(words, kind);
}
