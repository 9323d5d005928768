#include "driver/probe/Toml.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/TomlDepth.h"
#include "llvm/ADT/STLExtras.h"
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <toml++/toml.h>
#pragma GCC diagnostic pop

namespace cudacc::probe {

static constexpr unsigned deepest = 64;

static llvm::Error broken(llvm::StringRef shown, TomlPlace at, llvm::StringRef why) {
  std::string place =
      (shown + ":" + std::to_string(at.line) + ":" + std::to_string(at.column)).str();
  return core::fail(core::Code::BrokenConfig, place + " is not valid TOML",
                    {{"because", why.str()}});
}

static TomlPlace placeOf(const toml::source_region &region) {
  return {unsigned(region.begin.line), unsigned(region.begin.column)};
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
  if (auto place = deeperThan(text, deepest))
    return broken(shown, *place, "nested more than " + std::to_string(deepest) + " deep");
  toml::parse_result parsed = toml::parse(std::string_view(text.data(), text.size()));
  if (!parsed)
    return broken(shown, placeOf(parsed.error().source()), parsed.error().description());

  const toml::table *table = &parsed.table();
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

} // namespace cudacc::probe
