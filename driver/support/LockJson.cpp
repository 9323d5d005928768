#include "driver/support/LockValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

namespace cudacc::support {

using llvm::StringRef;

namespace {

/// What the parser does not keep: how deep the text nests, and on which line the keys of the two
/// outer levels stand.
struct Outline {
  unsigned values = 0, line = 1, depth = 0;
  bool tooDeep = false;
  /// `section`, `section` 0 `key`.
  llvm::StringMap<unsigned> lines;

  explicit Outline(StringRef text) {
    std::string section;
    for (size_t i = 0; i < text.size() && !tooDeep; ++i) {
      char c = text[i];
      if (c == '\n')
        ++line;
      else if (c == '[' || c == '{')
        tooDeep = ++depth > deepestLock;
      else if (c == ']' || c == '}')
        depth -= depth != 0;
      else if (c == ',')
        ++values;
      else if (c == '"')
        i = noteKey(text, i, section);
    }
  }

private:
  /// Index of the closing quote.
  size_t noteKey(StringRef text, size_t at, std::string &section) {
    size_t end = at + 1;
    while (end < text.size() && text[end] != '"' && text[end] != '\n')
      end += text[end] == '\\' && end + 1 < text.size() && text[end + 1] != '\n' ? 2 : 1;
    if (end >= text.size() || text[end] == '\n')
      return std::min(end, text.size()) - 1;
    if (depth == 0 || depth > 2 || !text.substr(end + 1).ltrim(" \t\r").starts_with(":"))
      return end;
    std::string key = text.slice(at + 1, end).str();
    if (depth == 1)
      section = key;
    lines.try_emplace(depth == 1 ? key : section + '\0' + key, line);
    return end;
  }
};

class Converter {
public:
  explicit Converter(const Outline &outline) : outline(outline) {}

  LockValue convert(const llvm::json::Value &json, unsigned line, const std::string &path,
                    unsigned depth) {
    LockValue value;
    value.line = line;
    if (auto *object = json.getAsObject()) {
      value.kind = LockValue::Kind::Table;
      std::vector<const llvm::json::Object::value_type *> entries;
      for (const auto &entry : *object)
        entries.push_back(&entry);
      // The parser's table has an order of its own, different from run to run.
      llvm::sort(entries, [](auto *a, auto *b) { return a->first < b->first; });
      for (const auto *entry : entries) {
        std::string below = depth ? path + '\0' + entry->first.str() : entry->first.str();
        auto at = depth < 2 ? outline.lines.find(below) : outline.lines.end();
        value.keys.push_back(entry->first.str());
        value.items.push_back(convert(entry->second, at == outline.lines.end() ? line : at->second,
                                      below, depth + 1));
      }
    } else if (auto *list = json.getAsArray()) {
      value.kind = LockValue::Kind::List;
      for (const llvm::json::Value &item : *list)
        value.items.push_back(convert(item, line, path, depth + 1));
    } else if (auto text = json.getAsString()) {
      value.kind = LockValue::Kind::Text;
      value.text = text->str();
    } else if (auto number = json.getAsInteger()) {
      value.kind = LockValue::Kind::Text;
      value.text = std::to_string(*number);
    } else if (auto flag = json.getAsBoolean()) {
      value.kind = LockValue::Kind::Text;
      value.text = *flag ? "true" : "false";
    }
    return value;
  }

private:
  const Outline &outline;
};

} // namespace

llvm::Expected<LockValue> parseJsonLock(StringRef text, StringRef shown) {
  Outline outline(text);
  if (outline.tooDeep)
    return brokenLock(shown, outline.line, "is not valid JSON",
                      "nested more than " + std::to_string(deepestLock) + " deep");
  if (outline.values > mostLockValues)
    return brokenLock(shown, 1, "is no lock that can be read",
                      "it has more than " + std::to_string(mostLockValues) + " values");
  auto json = llvm::json::parse(text);
  if (json)
    return Converter(outline).convert(*json, 1, "", 0);
  // `[12:3, byte=210]: Expected ...`
  std::string error = llvm::toString(json.takeError());
  StringRef why = error;
  unsigned line = 1;
  if (why.consume_front("[")) {
    why.consumeInteger(10, line);
    why = why.split("]: ").second;
  }
  return brokenLock(shown, line, "is not valid JSON", why);
}

} // namespace cudacc::support
