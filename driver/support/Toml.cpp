// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Toml.h"
#include "driver/support/TomlCheck.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <sstream>
// The only source that includes toml++. toml++ asserts conditions on its input that it then also
// reports as errors: so disable its assertions, and do not let NDEBUG turn them into assumptions.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(...) static_assert(true)
namespace toml {
/// Replaces log10 of libm, which would otherwise be loaded on every compile: the formatter only
/// needs the width of a number.
static double log10(double number) {
  unsigned digits = 0;
  for (; number >= 10 && digits < 400; number /= 10)
    ++digits;
  return digits;
}
} // namespace toml
#pragma push_macro("NDEBUG")
#undef NDEBUG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <toml++/toml.h>
#pragma GCC diagnostic pop
#pragma pop_macro("NDEBUG")

namespace cudacc::support {

static Value toValue(const toml::node &node) {
  Value value;
  value.line = node.source().begin.line;
  value.column = node.source().begin.column;
  if (auto *table = node.as_table()) {
    value.kind = Value::Kind::Table;
    for (const auto &[key, item] : *table) {
      Value &below = value.add(key.str(), toValue(item)).items.back();
      below.line = key.source().begin.line;
      below.keyColumn = key.source().begin.column;
    }
  } else if (auto *list = node.as_array()) {
    value.kind = Value::Kind::List;
    for (const toml::node &item : *list)
      value.items.push_back(toValue(item));
  } else if (auto *text = node.as_string()) {
    value.kind = Value::Kind::Text;
    value.text = text->get();
  } else if (auto *flag = node.as_boolean()) {
    value.kind = Value::Kind::Boolean;
    value.text = flag->get() ? "true" : "false";
  } else if (node.is_number()) {
    value.kind = Value::Kind::Number;
    if (auto *number = node.as_integer())
      value.text = fmt::format("{}", number->get());
  }
  return value;
}

std::optional<Value> readToml(llvm::StringRef text, TextError &error) {
  std::optional<std::string> safe = checkToml(text, error);
  if (!safe)
    return std::nullopt;
  toml::parse_result parsed = toml::parse(*safe);
  if (parsed)
    return toValue(parsed.table());
  const toml::source_position &at = parsed.error().source().begin;
  error = {unsigned(at.line), unsigned(at.column), std::string(parsed.error().description())};
  return std::nullopt;
}

static void insert(toml::table &table, llvm::StringRef key, const Value &value);

static toml::table toTable(const Value &value) {
  toml::table table;
  for (auto [key, item] : llvm::zip_equal(value.keys, value.items))
    insert(table, key, item);
  return table;
}

static toml::array toArray(const Value &value) {
  toml::array array;
  for (const Value &item : value.items)
    if (item.isTable())
      array.push_back(toTable(item));
    else
      array.push_back(item.text);
  return array;
}

static void insert(toml::table &table, llvm::StringRef key, const Value &value) {
  if (value.isTable())
    table.insert(std::string_view(key), toTable(value));
  else if (value.isList())
    table.insert(std::string_view(key), toArray(value));
  else if (std::optional<int64_t> number = value.integer())
    table.insert(std::string_view(key), *number);
  else
    table.insert(std::string_view(key), value.text);
}

std::string writeToml(const Value &table) {
  toml::table root = toTable(table);
  std::ostringstream out;
  out << toml::toml_formatter(root, toml::format_flags::allow_unicode_strings) << '\n';
  return out.str();
}

} // namespace cudacc::support
