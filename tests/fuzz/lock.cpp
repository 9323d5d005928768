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

/// LLVM's allocator poisons the memory that it has not handed out. LLVM itself was built without
/// the sanitizer, so the nodes that its YAML parser allocates stay poisoned.
// The sanitizer's name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

/// Reads the text as a lock in JSON and as one in YAML; TOML has its own target.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  expectBounded(probe::parseJsonLock(text, "x.lock"));
  expectBounded(probe::parseYamlLock(text, "x.lock"));
  return 0;
}
