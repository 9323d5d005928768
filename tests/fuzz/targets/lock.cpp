// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "tests/fuzz/Input.h"

using namespace cudacc;

static size_t count(const probe::Value &value) {
  size_t all = 1;
  for (const probe::Value &item : value.items)
    all += count(item);
  return all;
}

static void expectBounded(llvm::Expected<probe::Value> value) {
  if (!value)
    fuzz::expectFinding(value.takeError());
  else if (count(*value) > 2 * probe::mostLockValues)
    __builtin_trap();
}

/// Reads the text as a lock in JSON and as one in YAML; TOML has its own target.
static void run(llvm::StringRef text) {
  expectBounded(probe::parseJsonLock(text, "x.lock"));
  expectBounded(probe::parseYamlLock(text, "x.lock"));
}

static const fuzz::Target target("lock", run);
