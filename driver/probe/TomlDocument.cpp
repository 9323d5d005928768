#include "driver/probe/TomlDocument.h"
#include "driver/probe/TomlScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace cudacc::probe {

using llvm::StringRef;
using Kind = TomlValue::Kind;

TomlValue::TomlValue() = default;
TomlValue::TomlValue(TomlValue &&) noexcept = default;
TomlValue &TomlValue::operator=(TomlValue &&) noexcept = default;
TomlValue::~TomlValue() = default;

TomlValue *TomlTable::find(StringRef name) {
  auto found = byName.find(std::string_view(name));
  return found == byName.end() ? nullptr : &members[found->second].value;
}

const TomlValue *TomlTable::find(StringRef name) const {
  return const_cast<TomlTable *>(this)->find(name);
}

TomlValue &TomlTable::add(StringRef name, TomlPlace at, TomlValue value) {
  byName.emplace(name.str(), members.size());
  return members.emplace_back(Member{name.str(), at, std::move(value)}).value;
}

namespace {

struct KeyPart {
  std::string name;
  TomlPlace at;
};
using KeyParts = llvm::SmallVector<KeyPart, 4>;

/// The grammar above scalars. Pointers to tables are good until something is added to the table or
/// list that holds them; each line goes down from the top again.
class Parser {
public:
  Parser(StringRef text, TomlError &error)
      : scanner(text, error), root(std::make_unique<TomlTable>()) {}

  bool run();
  std::unique_ptr<TomlTable> take() { return std::move(root); }

private:
  TomlScanner scanner;
  std::unique_ptr<TomlTable> root;
  /// That of the latest header.
  TomlTable *current = nullptr;
  unsigned currentDepth = 0;
  /// Part of the text, numbered by headers and inline tables.
  unsigned part = 1, parts = 1;
  unsigned depth = 0, values = 0;

  bool key(KeyParts &parts);
  bool line();
  bool header();
  TomlTable *below(TomlTable &table, const KeyPart &part);
  bool openTable(TomlTable &parent, const KeyPart &last);
  bool openListItem(TomlTable &parent, const KeyPart &last);
  bool pair(TomlTable &table);
  TomlTable *dotted(TomlTable &table, const KeyPart &part);
  std::optional<TomlValue> value();
  bool list(TomlValue &value);
  bool inlineTable(TomlValue &value);
  bool count();
  bool enter();
  bool isDefinedBefore(const KeyPart &part) {
    return scanner.failAt(part.at, "this key is defined before");
  }
};

} // namespace

static TomlValue newTable(TomlPlace at) {
  TomlValue value;
  value.at = at;
  value.table = std::make_unique<TomlTable>();
  return value;
}

bool Parser::count() {
  return ++values <= mostTomlValues ||
         scanner.fail("it has more than " + llvm::Twine(mostTomlValues) + " values");
}

bool Parser::enter() {
  return ++depth <= deepestToml ||
         scanner.fail("nested more than " + llvm::Twine(deepestToml) + " deep");
}

/// With the blanks behind it. Deepens by each part but the last.
bool Parser::key(KeyParts &parts) {
  for (;;) {
    TomlPlace at = scanner.place();
    auto name = scanner.keyPart();
    if (!name)
      return false;
    parts.push_back({std::move(*name), at});
    scanner.skipBlanks();
    if (scanner.peek() != '.')
      return true;
    if (!enter() || !count())
      return false;
    scanner.skip();
    scanner.skipBlanks();
  }
}

/// For a header that leads through it: made where it is missing.
TomlTable *Parser::below(TomlTable &table, const KeyPart &part) {
  TomlValue *found = table.find(part.name);
  if (!found)
    return table.add(part.name, part.at, newTable(part.at)).table.get();
  if (found->kind == Kind::List && found->isOfTables)
    return found->items.back().table.get();
  if (found->kind == Kind::Table && !found->table->isInline)
    return found->table.get();
  isDefinedBefore(part);
  return nullptr;
}

bool Parser::openTable(TomlTable &parent, const KeyPart &last) {
  TomlValue *found = parent.find(last.name);
  if (!found) {
    current = parent.add(last.name, last.at, newTable(last.at)).table.get();
  } else {
    // Without a header of its own until now: a table that only others led through.
    if (found->kind != Kind::Table || found->table->isDefined || found->table->isInline ||
        found->table->dottedIn)
      return isDefinedBefore(last);
    current = found->table.get();
  }
  current->isDefined = true;
  return true;
}

bool Parser::openListItem(TomlTable &parent, const KeyPart &last) {
  TomlValue *found = parent.find(last.name);
  if (!found) {
    TomlValue list;
    list.kind = Kind::List;
    list.isOfTables = true;
    list.at = last.at;
    found = &parent.add(last.name, last.at, std::move(list));
  } else if (found->kind != Kind::List || !found->isOfTables) {
    return isDefinedBefore(last);
  }
  current = found->items.emplace_back(newTable(last.at)).table.get();
  current->isDefined = true;
  return true;
}

bool Parser::header() {
  bool isList = scanner.startsWith("[[");
  scanner.skip(isList ? 2 : 1);
  scanner.skipBlanks();
  depth = 0;
  KeyParts parts;
  if (!key(parts) || !count())
    return false;
  if (!scanner.startsWith(isList ? "]]" : "]"))
    return scanner.failExpecting(isList ? "]]" : "]");
  TomlTable *parent = root.get();
  for (const KeyPart &each : llvm::drop_end(parts))
    if (parent = below(*parent, each); !parent)
      return false;
  if (isList ? !openListItem(*parent, parts.back()) : !openTable(*parent, parts.back()))
    return false;
  scanner.skip(isList ? 2 : 1);
  part = ++this->parts;
  currentDepth = depth;
  return true;
}

/// For a dotted key that leads through it: only what such keys of the same part of the text made.
TomlTable *Parser::dotted(TomlTable &table, const KeyPart &key) {
  TomlValue *found = table.find(key.name);
  if (!found) {
    found = &table.add(key.name, key.at, newTable(key.at));
    found->table->dottedIn = part;
    return found->table.get();
  }
  TomlTable *below = found->table.get();
  if (!below || below->isInline || below->isDefined ||
      (below->dottedIn && below->dottedIn != part)) {
    isDefinedBefore(key);
    return nullptr;
  }
  below->dottedIn = part;
  return below;
}

bool Parser::pair(TomlTable &table) {
  KeyParts parts;
  if (!key(parts))
    return false;
  if (scanner.peek() != '=')
    return scanner.failExpecting("=");
  TomlTable *parent = &table;
  for (const KeyPart &each : llvm::drop_end(parts))
    if (parent = dotted(*parent, each); !parent)
      return false;
  if (parent->find(parts.back().name))
    return isDefinedBefore(parts.back());
  scanner.skip();
  scanner.skipBlanks();
  auto read = value();
  if (!read)
    return false;
  parent->add(parts.back().name, parts.back().at, std::move(*read));
  return true;
}

std::optional<TomlValue> Parser::value() {
  if (!count())
    return std::nullopt;
  char first = scanner.peek();
  if (first != '[' && first != '{')
    return scanner.scalar();
  TomlValue value;
  value.at = scanner.place();
  unsigned before = depth;
  if (!enter())
    return std::nullopt;
  scanner.skip();
  if (first == '[' ? !list(value) : !inlineTable(value))
    return std::nullopt;
  depth = before;
  return value;
}

/// Behind the bracket.
bool Parser::list(TomlValue &value) {
  value.kind = Kind::List;
  for (;;) {
    if (!scanner.skipLines())
      return false;
    if (scanner.peek() == ']')
      break;
    auto item = this->value();
    if (!item || !scanner.skipLines())
      return false;
    value.items.push_back(std::move(*item));
    if (scanner.peek() == ']')
      break;
    if (scanner.peek() != ',')
      return scanner.failExpecting("',' or ']'");
    scanner.skip();
  }
  scanner.skip();
  return true;
}

/// Behind the brace.
bool Parser::inlineTable(TomlValue &value) {
  value.kind = Kind::Table;
  value.table = std::make_unique<TomlTable>();
  unsigned outer = part, level = depth;
  unsigned own = ++parts;
  scanner.skipBlanks();
  for (bool isFirst = true; !isFirst || scanner.peek() != '}'; isFirst = false) {
    part = own;
    depth = level;
    if (!pair(*value.table))
      return false;
    scanner.skipBlanks();
    if (scanner.peek() == '}')
      break;
    if (scanner.peek() != ',')
      return scanner.failExpecting("',' or '}'");
    scanner.skip();
    scanner.skipBlanks();
  }
  scanner.skip();
  part = outer;
  value.table->isInline = true;
  return true;
}

bool Parser::line() {
  if (!scanner.skipRestOfLine())
    return false;
  if (scanner.atEnd() || scanner.skipNewline())
    return true;
  depth = currentDepth;
  if (scanner.peek() == '[' ? !header() : !pair(*current))
    return false;
  return scanner.endLine();
}

bool Parser::run() {
  current = root.get();
  root->isDefined = true;
  if (!scanner.checkEncoding())
    return false;
  while (!scanner.atEnd())
    if (!line())
      return false;
  return true;
}

std::unique_ptr<TomlTable> parseToml(StringRef text, TomlError &error) {
  error = {};
  Parser parser(text, error);
  return parser.run() ? parser.take() : nullptr;
}

} // namespace cudacc::probe
