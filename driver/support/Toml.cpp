#include "driver/support/Toml.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/LockValue.h"
#include "driver/support/TomlCheck.h"
#include "llvm/ADT/STLExtras.h"
// The only source that includes the library. What it asserts of a text, it goes on to report as an
// error: so neither assert nor, with NDEBUG, assume that it holds.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(...) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <toml++/toml.h>
#pragma GCC diagnostic pop
#pragma pop_macro("NDEBUG")

namespace cudacc::support {

static_assert(deepestToml <= deepestLock && mostTomlValues <= mostLockValues);

static llvm::Error broken(llvm::StringRef shown, TomlPlace at, llvm::StringRef why) {
  std::string place =
      (shown + ":" + std::to_string(at.line) + ":" + std::to_string(at.column)).str();
  return core::fail(core::Code::BrokenConfig, place + " is not valid TOML",
                    {{"because", why.str()}});
}

static TomlPlace placeOf(const toml::source_region &region) {
  return {unsigned(region.begin.line), unsigned(region.begin.column)};
}

static std::optional<toml::table> parseToml(llvm::StringRef text, TomlError &error) {
  std::optional<std::string> safe = checkToml(text, error);
  if (!safe)
    return std::nullopt;
  toml::parse_result parsed = toml::parse(*safe);
  if (parsed)
    return std::move(parsed).table();
  error = {placeOf(parsed.error().source()), std::string(parsed.error().description())};
  return std::nullopt;
}

static const char *describe(const toml::node &node) {
  switch (node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return "a list that holds more than strings";
  case toml::node_type::string:
    return "a string";
  case toml::node_type::integer:
  case toml::node_type::floating_point:
    return "a number";
  case toml::node_type::boolean:
    return "true or false";
  default:
    return "a date or time";
  }
}

static TomlEntry toEntry(const toml::key &key, const toml::node &node) {
  TomlEntry entry;
  entry.key = std::string(key.str());
  entry.keyAt = placeOf(key.source());
  entry.valueAt = placeOf(node.source());
  entry.kindName = describe(node);
  if (auto *text = node.as_string()) {
    entry.kind = TomlEntry::Kind::String;
    entry.texts.emplace_back(text->get(), entry.valueAt);
  } else if (auto *flag = node.as_boolean()) {
    entry.kind = TomlEntry::Kind::Boolean;
    entry.texts.emplace_back(flag->get() ? "true" : "false", entry.valueAt);
  } else if (auto *list = node.as_array()) {
    if (!llvm::all_of(*list, [](const toml::node &item) { return item.is_string(); }))
      return entry;
    entry.kind = TomlEntry::Kind::Strings;
    entry.kindName = "a list of strings";
    for (const toml::node &item : *list)
      entry.texts.emplace_back(item.as_string()->get(), placeOf(item.source()));
  } else if (auto *table = node.as_table()) {
    bool strings = llvm::all_of(*table, [](const auto &each) { return each.second.is_string(); });
    entry.kindName = table->empty() ? "an empty table"
                     : strings      ? "a table"
                                    : "a table that holds more than strings";
    if (table->empty() || !strings)
      return entry;
    entry.kind = TomlEntry::Kind::Pairs;
    for (const auto &[name, value] : *table)
      entry.texts.emplace_back(std::string(name.str()) + "=" + value.as_string()->get(),
                               placeOf(value.source()));
  }
  return entry;
}

llvm::Expected<std::optional<std::vector<TomlEntry>>>
readTomlTable(llvm::StringRef text, llvm::StringRef shown,
              llvm::ArrayRef<llvm::StringRef> tablePath) {
  TomlError error;
  std::optional<toml::table> root = parseToml(text, error);
  if (!root)
    return broken(shown, error.at, error.why);
  const toml::table *table = &*root;
  for (llvm::StringRef name : tablePath) {
    const toml::node *next = table->get(std::string_view(name));
    if (!next)
      return std::nullopt;
    if (!next->is_table())
      return broken(shown, placeOf(next->source()),
                    (llvm::Twine(name) + " must be a table, not " + describe(*next)).str());
    table = next->as_table();
  }
  std::vector<TomlEntry> entries;
  for (const auto &[key, node] : *table)
    entries.push_back(toEntry(key, node));
  llvm::sort(entries, [](const TomlEntry &a, const TomlEntry &b) {
    return std::pair(a.keyAt.line, a.keyAt.column) < std::pair(b.keyAt.line, b.keyAt.column);
  });
  return entries;
}

/// Empty where no reader of a lock asks for it.
static std::string textOf(const toml::node &node) {
  if (auto *text = node.as_string())
    return text->get();
  if (auto *number = node.as_integer())
    return std::to_string(number->get());
  if (auto *flag = node.as_boolean())
    return flag->get() ? "true" : "false";
  return {};
}

static LockValue toValue(const toml::node &node) {
  LockValue value;
  value.line = node.source().begin.line;
  if (auto *table = node.as_table()) {
    value.kind = LockValue::Kind::Table;
    for (const auto &[key, item] : *table) {
      value.keys.emplace_back(key.str());
      value.items.push_back(toValue(item));
      value.items.back().line = key.source().begin.line;
    }
  } else if (auto *list = node.as_array()) {
    value.kind = LockValue::Kind::List;
    for (const toml::node &item : *list)
      value.items.push_back(toValue(item));
  } else {
    value.kind = LockValue::Kind::Text;
    value.text = textOf(node);
  }
  return value;
}

llvm::Expected<LockValue> parseTomlLock(llvm::StringRef text, llvm::StringRef shown) {
  TomlError error;
  std::optional<toml::table> root = parseToml(text, error);
  if (!root)
    return brokenLock(shown, error.at.line, "is not valid TOML", error.why);
  return toValue(*root);
}

} // namespace cudacc::support
