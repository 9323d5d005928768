// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Value.h"

namespace cudacc::support {

using llvm::StringRef;

Value Value::of(StringRef text) {
  Value value;
  value.kind = Kind::Text;
  value.text = text.str();
  return value;
}

Value Value::of(const std::vector<std::string> &texts) {
  Value value;
  value.kind = Kind::List;
  for (const std::string &text : texts)
    value.items.push_back(of(StringRef(text)));
  return value;
}

Value Value::table() {
  Value value;
  value.kind = Kind::Table;
  return value;
}

Value &Value::add(StringRef key, Value item) {
  keys.push_back(key.str());
  items.push_back(std::move(item));
  return *this;
}

const Value *Value::find(StringRef key) const {
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] == key)
      return &items[i];
  return nullptr;
}

StringRef Value::textAt(StringRef key) const {
  const Value *value = find(key);
  return value && value->isScalar() ? StringRef(value->text) : StringRef();
}

llvm::ArrayRef<Value> Value::listAt(StringRef key) const {
  const Value *value = find(key);
  return value && value->isList() ? llvm::ArrayRef(value->items) : llvm::ArrayRef<Value>();
}

std::vector<StringRef> Value::texts() const {
  std::vector<StringRef> all;
  for (const Value &item : items)
    if (isList() && item.isScalar())
      all.push_back(item.text);
  return all;
}

std::optional<int64_t> Value::integer() const {
  int64_t number;
  if (kind != Kind::Number || StringRef(text).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

} // namespace cudacc::support
