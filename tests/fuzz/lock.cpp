// SPDX-License-Identifier: Apache-2.0
#include "Input.h"
#include "driver/probe/lock/LockValue.h"

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

/// LLVM's allocator poisons what it has not given out; where LLVM itself was built without the
/// sanitizer, as here, nobody takes that back for the nodes that its YAML parser makes.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

/// A text is a lock in JSON and one in YAML; TOML has a target of its own.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  expectBounded(probe::parseJsonLock(text, "x.lock"));
  expectBounded(probe::parseYamlLock(text, "x.lock"));
  return 0;
}
