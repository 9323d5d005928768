#include "driver/support/LockValue.h"
#include "driver/core/Diagnostic.h"

namespace cudacc::support {

using llvm::StringRef;

const LockValue *LockValue::find(StringRef key) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key)
      return &items[i];
  return nullptr;
}

StringRef LockValue::textAt(StringRef key) const {
  const LockValue *value = find(key);
  return value && value->isText() ? StringRef(value->text) : StringRef();
}

llvm::ArrayRef<LockValue> LockValue::listAt(StringRef key) const {
  const LockValue *value = find(key);
  return value && value->isList() ? llvm::ArrayRef(value->items) : llvm::ArrayRef<LockValue>();
}

std::vector<StringRef> LockValue::texts() const {
  std::vector<StringRef> all;
  for (const LockValue &item : items)
    if (isList() && item.isText())
      all.push_back(item.text);
  return all;
}

llvm::Error brokenLock(StringRef shown, unsigned line, StringRef what, StringRef why) {
  std::string place = (shown + ":" + std::to_string(std::max(line, 1u))).str();
  return core::fail(core::Code::BrokenConfig, place + " " + what.str(), {{"because", why.str()}});
}

} // namespace cudacc::support
