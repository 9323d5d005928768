// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Toml.h"
#include "driver/support/TomlCheck.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

/// The number of values in the tree, which the parser limits.
static size_t count(const support::Value &value) {
  size_t all = 1;
  for (const support::Value &item : value.items)
    all += count(item);
  return all;
}

/// Every value that was read can be written as TOML.
static void run(llvm::StringRef text) {
  support::TextError error;
  auto value = support::readToml(text, error);
  if (!value) {
    if (error.why.empty() || error.line == 0 || error.column == 0)
      __builtin_trap();
    return;
  }
  if (!value->isTable() || value->keys.size() != value->items.size() ||
      count(*value) > 2 * support::mostTomlValues || support::writeToml(*value).empty())
    __builtin_trap();
}

static const fuzz::Target target("toml", run);
