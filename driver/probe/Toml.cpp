#include "driver/probe/Toml.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/TomlDocument.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::probe {

static llvm::Error broken(llvm::StringRef shown, TomlPlace at, llvm::StringRef why) {
  std::string place =
      (shown + ":" + std::to_string(at.line) + ":" + std::to_string(at.column)).str();
  return core::fail(core::Code::BrokenConfig, place + " is not valid TOML",
                    {{"because", why.str()}});
}

static bool isString(const TomlValue &value) { return value.kind == TomlValue::Kind::String; }

static const char *describe(TomlValue::Kind kind) {
  switch (kind) {
  case TomlValue::Kind::Table:
    return "a table";
  case TomlValue::Kind::List:
    return "a list that holds more than strings";
  case TomlValue::Kind::String:
    return "a string";
  case TomlValue::Kind::Integer:
  case TomlValue::Kind::Float:
    return "a number";
  case TomlValue::Kind::Boolean:
    return "true or false";
  case TomlValue::Kind::Date:
    break;
  }
  return "a date or time";
}

/// A list or table of strings is one of the other kinds; an empty table is none.
static void addStrings(const TomlValue &value, TomlEntry &entry) {
  if (value.kind == TomlValue::Kind::List) {
    if (!llvm::all_of(value.items, isString))
      return;
    entry.kind = TomlEntry::Kind::Strings;
    entry.kindName = "a list of strings";
    for (const TomlValue &item : value.items)
      entry.texts.emplace_back(item.text, item.at);
    return;
  }
  const auto &members = value.table->members;
  if (members.empty()) {
    entry.kindName = "an empty table";
    return;
  }
  if (!llvm::all_of(members, [](const auto &member) { return isString(member.value); })) {
    entry.kindName = "a table that holds more than strings";
    return;
  }
  entry.kind = TomlEntry::Kind::Pairs;
  for (const auto &member : members)
    entry.texts.emplace_back(member.name + "=" + member.value.text, member.value.at);
}

static TomlEntry toEntry(const TomlTable::Member &member) {
  const TomlValue &value = member.value;
  TomlEntry entry;
  entry.key = member.name;
  entry.keyAt = member.at;
  entry.valueAt = value.at;
  entry.kindName = describe(value.kind);
  if (value.kind == TomlValue::Kind::List || value.kind == TomlValue::Kind::Table) {
    addStrings(value, entry);
    return entry;
  }
  if (value.kind == TomlValue::Kind::Boolean)
    entry.kind = TomlEntry::Kind::Boolean;
  else if (isString(value))
    entry.kind = TomlEntry::Kind::String;
  if (entry.kind != TomlEntry::Kind::Other)
    entry.texts.emplace_back(value.text, value.at);
  return entry;
}

llvm::Expected<std::optional<std::vector<TomlEntry>>>
readTomlTable(llvm::StringRef text, llvm::StringRef shown,
              llvm::ArrayRef<llvm::StringRef> tablePath) {
  TomlError error;
  std::unique_ptr<TomlTable> root = parseToml(text, error);
  if (!root)
    return broken(shown, error.at, error.why);
  const TomlTable *table = root.get();
  for (llvm::StringRef name : tablePath) {
    const TomlValue *next = table->find(name);
    if (!next)
      return std::nullopt;
    if (!next->table)
      return broken(shown, next->at,
                    (llvm::Twine(name) + " must be a table, not " + describe(next->kind)).str());
    table = next->table.get();
  }
  std::vector<TomlEntry> entries;
  for (const TomlTable::Member &member : table->members)
    entries.push_back(toEntry(member));
  llvm::sort(entries, [](const TomlEntry &a, const TomlEntry &b) {
    return std::pair(a.keyAt.line, a.keyAt.column) < std::pair(b.keyAt.line, b.keyAt.column);
  });
  return entries;
}

} // namespace cudacc::probe
