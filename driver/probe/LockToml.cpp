#include "driver/probe/LockValue.h"
#include "driver/probe/TomlDocument.h"

namespace cudacc::probe {

using llvm::StringRef;

static_assert(deepestToml <= deepestLock && mostTomlValues <= mostLockValues);

static LockValue toValue(const TomlValue &read);

static void addMembers(const TomlTable &table, LockValue &value) {
  value.kind = LockValue::Kind::Table;
  for (const TomlTable::Member &member : table.members) {
    value.keys.push_back(member.name);
    value.items.push_back(toValue(member.value));
    value.items.back().line = member.at.line;
  }
}

static LockValue toValue(const TomlValue &read) {
  LockValue value;
  value.line = read.at.line;
  if (read.kind == TomlValue::Kind::Table) {
    addMembers(*read.table, value);
  } else if (read.kind == TomlValue::Kind::List) {
    value.kind = LockValue::Kind::List;
    for (const TomlValue &item : read.items)
      value.items.push_back(toValue(item));
  } else {
    value.kind = LockValue::Kind::Text;
    value.text = read.text;
  }
  return value;
}

llvm::Expected<LockValue> parseTomlLock(StringRef text, StringRef shown) {
  TomlError error;
  std::unique_ptr<TomlTable> root = parseToml(text, error);
  if (!root)
    return brokenLock(shown, error.at.line, "is not valid TOML", error.why);
  LockValue value;
  value.line = 1;
  addMembers(*root, value);
  return value;
}

} // namespace cudacc::probe
