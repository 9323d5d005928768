#include "driver/tables/rows/Row.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace cudacc::tables::rows {

using llvm::StringRef;
namespace json = llvm::json;

void Problem::report(Mistake found) {
  if (mistake)
    return;
  mistake = std::move(found);
  if (onMistake)
    onMistake(*mistake);
}

/// A row nests seven deep; the parser recurses.
static constexpr unsigned deepest = 32;

static bool nestsTooDeep(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    else if (c == '[' || c == '{')
      if (++depth > deepest)
        return true;
    if (c == ']' || c == '}')
      depth -= depth != 0;
  }
  return false;
}

std::optional<json::Value> parseJson(StringRef text, StringRef place, Problem &problem) {
  if (nestsTooDeep(text)) {
    problem.report({place.str(), ("nested more than " + llvm::Twine(deepest) + " deep").str()});
    return std::nullopt;
  }
  auto root = json::parse(text);
  if (root)
    return std::move(*root);
  // `[12:3, byte=210]: Expected ...`.
  std::string error = llvm::toString(root.takeError());
  StringRef why = error;
  unsigned line = 1;
  if (why.consume_front("[")) {
    why.consumeInteger(10, line);
    why = why.split("]: ").second;
  }
  problem.report({(place + ": line " + llvm::Twine(line)).str(), ("no valid JSON: " + why).str()});
  return std::nullopt;
}

void Row::compare(const llvm::Twine &what, llvm::ArrayRef<std::string> says,
                  llvm::ArrayRef<std::string> builtIn) const {
  auto at = [](llvm::ArrayRef<std::string> texts, size_t index) {
    return index < texts.size() ? texts[index] : "nothing further";
  };
  for (size_t i = 0; i < std::max(says.size(), builtIn.size()); ++i)
    if (at(says, i) != at(builtIn, i))
      return contradict(what, at(says, i), at(builtIn, i));
}

const json::Value &Row::value(StringRef key) const {
  static const json::Value null = nullptr;
  const json::Value *found = good() ? object->get(key) : nullptr;
  require(found, "no \"" + key + "\"");
  return found ? *found : null;
}

StringRef Row::text(StringRef key) const {
  auto found = value(key).getAsString();
  require(found && !found->empty(), "\"" + key + "\" is no text");
  return found.value_or("");
}

StringRef Row::textOrNull(StringRef key) const {
  const json::Value &found = value(key);
  if (found.kind() == json::Value::Null)
    return {};
  require(found.getAsString().has_value(), "\"" + key + "\" is neither a text nor null");
  return found.getAsString().value_or("");
}

bool Row::flag(StringRef key) const {
  auto found = value(key).getAsBoolean();
  require(found.has_value(), "\"" + key + "\" is neither true nor false");
  return found.value_or(false);
}

std::optional<bool> Row::flagOrNull(StringRef key) const {
  return value(key).kind() == json::Value::Null ? std::nullopt : std::optional(flag(key));
}

unsigned Row::number(StringRef key) const {
  auto found = value(key).getAsInteger();
  bool fits = found && *found >= 0 && *found <= std::numeric_limits<unsigned>::max();
  require(fits, "\"" + key + "\" is no number");
  return fits ? unsigned(*found) : 0;
}

const json::Array &Row::asArray(const json::Value &value, const llvm::Twine &name) const {
  static const json::Array none;
  const json::Array *array = value.getAsArray();
  if (!require(array, name + " is no list") ||
      !require(array->size() <= problem->mostEntries,
               name + " has more than " + llvm::Twine(problem->mostEntries) + " entries"))
    return none;
  return *array;
}

const json::Array &Row::array(StringRef key) const {
  return asArray(value(key), "\"" + key + "\"");
}

const json::Object &Row::map(StringRef key) const {
  static const json::Object none;
  const json::Object *found = value(key).getAsObject();
  return require(found, "\"" + key + "\" is no object") ? *found : none;
}

std::vector<std::pair<StringRef, StringRef>> Row::textMap(StringRef key) const {
  std::vector<std::pair<StringRef, StringRef>> all;
  for (const auto &[name, text] : map(key))
    all.emplace_back(name, asText(text));
  // The parser's table has an order of its own, different from run to run.
  llvm::sort(all);
  return all;
}

std::vector<Row> Row::rows(StringRef key) const {
  return rowsOf(array(key), place + (key == "rows" ? ": row" : ", " + key.str()), *problem);
}

StringRef Row::asText(const json::Value &value) const {
  auto text = value.getAsString();
  require(text && !text->empty(), "a text is expected in a list");
  return text.value_or("");
}

std::vector<StringRef> Row::textsOf(const json::Array &array) const {
  std::vector<StringRef> all;
  for (const json::Value &each : array)
    all.push_back(asText(each));
  return all;
}

std::vector<std::string> Row::strings(StringRef key) const {
  auto all = texts(key);
  return {all.begin(), all.end()};
}

unsigned Row::asIndex(const json::Value &value) const {
  auto found = value.getAsInteger();
  bool fits = found && *found >= 0 && *found < 65535;
  require(fits, "an index is expected");
  return fits ? unsigned(*found) : 0;
}

std::vector<uint8_t> Row::asNumbers(StringRef text, size_t count) const {
  static constexpr llvm::StringLiteral words[] = {"one number", "two numbers with a dot",
                                                  "three numbers with dots"};
  std::vector<uint8_t> all;
  bool valid = true;
  for (StringRef part : llvm::split(text, '.')) {
    unsigned number = 0;
    valid &= llvm::all_of(part, llvm::isDigit) && !part.getAsInteger(10, number) && number < 255;
    all.push_back(uint8_t(number));
  }
  require(valid && all.size() == count,
          "\"" + text + "\" is not " + words[count - 1] + " below 255");
  all.resize(count);
  return all;
}

versions::CudaVersion Row::asCuda(StringRef text) const {
  auto parts = asNumbers(text, 2);
  return {parts[0], parts[1]};
}

Number Row::asNumber(StringRef text) const {
  auto parts = asNumbers(text, 3);
  return {parts[0], parts[1], parts[2]};
}

versions::Version Row::asVersion(StringRef text) const {
  auto version = versions::Version::parse(text);
  require(version.has_value(), "\"" + text + "\" is no version");
  return version.value_or(versions::Version{});
}

versions::SpecifierSet Row::asSpecifiers(StringRef text) const {
  auto set = versions::SpecifierSet::parse(text);
  require(text.empty() || set, "\"" + text + "\" is no specifier");
  return set.value_or(versions::SpecifierSet{});
}

Confidence Row::confidence() const {
  return choice<Confidence>("confidence", {{"verified", Confidence::Verified},
                                           {"sourced", Confidence::Sourced},
                                           {"secondary", Confidence::Secondary},
                                           {"unverified", Confidence::Unverified}});
}

std::vector<Row> rowsOf(const json::Array &objects, StringRef prefix, Problem &problem) {
  std::vector<Row> all;
  all.reserve(objects.size());
  for (const json::Value &each : objects) {
    std::string place = (prefix + " " + llvm::Twine(all.size() + 1)).str();
    const json::Object *one = each.getAsObject();
    if (!one) {
      problem.report({std::move(place), "it is no object"});
      return {};
    }
    all.emplace_back(*one, std::move(place), problem);
  }
  return all;
}

void requireSources(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows) {
    row.text("source");
    row.confidence();
  }
}

} // namespace cudacc::tables::rows
