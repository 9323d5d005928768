#include "driver/support/Toml.h"
#include "Input.h"
#include "driver/support/LockValue.h"

using namespace cudacc;

/// As many values as the parser says that it takes, at most.
static size_t count(const support::LockValue &value) {
  size_t all = 1;
  for (const support::LockValue &item : value.items)
    all += count(item);
  return all;
}

static void readTable(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> path, bool isToml) {
  auto entries = support::readTomlTable(text, "x.toml", path);
  if (!entries) {
    fuzz::expectFinding(entries.takeError());
    return;
  }
  if (!isToml)
    __builtin_trap();
  if (*entries)
    for (const support::TomlEntry &entry : **entries)
      if (entry.keyAt.line == 0 || entry.valueAt.column == 0 || entry.kindName.empty())
        __builtin_trap();
}

/// A text is a configuration, in either form, and a lock.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto lock = support::parseTomlLock(text, "x.lock");
  bool isToml = bool(lock);
  if (!isToml)
    fuzz::expectFinding(lock.takeError());
  else if (!lock->isTable() || lock->keys.size() != lock->items.size() ||
           count(*lock) > 2 * support::mostLockValues)
    __builtin_trap();
  readTable(text, {}, isToml);
  static constexpr llvm::StringRef own[] = {"tool", "cuda-cc"};
  readTable(text, own, isToml);
  return 0;
}
