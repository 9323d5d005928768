#include "driver/probe/LockValue.h"
#include "driver/probe/TomlDepth.h"
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace cudacc::probe {

using llvm::StringRef;

static std::string textOf(const toml::node &node) {
  if (auto *text = node.as_string())
    return text->get();
  if (auto *number = node.as_integer())
    return std::to_string(number->get());
  if (auto *flag = node.as_boolean())
    return flag->get() ? "true" : "false";
  return {};
}

static LockValue toValue(const toml::node &node, unsigned &left) {
  LockValue value;
  value.line = node.source().begin.line;
  if (left == 0)
    return value;
  --left;
  if (auto *table = node.as_table()) {
    value.kind = LockValue::Kind::Table;
    for (const auto &[key, item] : *table) {
      value.keys.emplace_back(key.str());
      value.items.push_back(toValue(item, left));
      value.items.back().line = key.source().begin.line;
    }
  } else if (auto *list = node.as_array()) {
    value.kind = LockValue::Kind::List;
    for (const toml::node &item : *list)
      value.items.push_back(toValue(item, left));
  } else {
    value.kind = LockValue::Kind::Text;
    value.text = textOf(node);
  }
  return value;
}

llvm::Expected<LockValue> parseTomlLock(StringRef text, StringRef shown) {
  if (auto place = deeperThan(text, deepestLock))
    return brokenLock(shown, place->line, "is not valid TOML",
                      "nested more than " + std::to_string(deepestLock) + " deep");
  toml::parse_result parsed = toml::parse(std::string_view(text.data(), text.size()));
  if (!parsed)
    return brokenLock(shown, parsed.error().source().begin.line, "is not valid TOML",
                      StringRef(parsed.error().description()));
  unsigned left = mostLockValues;
  LockValue value = toValue(parsed.table(), left);
  if (left == 0)
    return brokenLock(shown, 1, "is no lock that can be read",
                      "it has more than " + std::to_string(mostLockValues) + " values");
  return value;
}

} // namespace cudacc::probe
