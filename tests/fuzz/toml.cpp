// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Toml.h"
#include "Input.h"
#include "driver/support/TomlCheck.h"

using namespace cudacc;

/// The number of values in the tree, which the parser limits.
static size_t count(const support::Value &value) {
  size_t all = 1;
  for (const support::Value &item : value.items)
    all += count(item);
  return all;
}

/// Every value that was read can be written as TOML.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  support::TextError error;
  auto value = support::readToml(text, error);
  if (!value) {
    if (error.why.empty() || error.line == 0 || error.column == 0)
      __builtin_trap();
    return 0;
  }
  if (!value->isTable() || value->keys.size() != value->items.size() ||
      count(*value) > 2 * support::mostTomlValues || support::writeToml(*value).empty())
    __builtin_trap();
  return 0;
}
