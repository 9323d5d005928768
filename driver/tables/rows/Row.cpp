// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/rows/Row.h"
#include "driver/support/Json.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

namespace cudacc::tables::rows {

using llvm::StringRef;

void Problem::report(Mistake found) {
  if (mistake)
    return;
  mistake = std::move(found);
  if (onMistake)
    onMistake(*mistake);
}

/// Rows need only a depth of seven.
static constexpr unsigned deepest = 32;

std::optional<Value> parseJson(StringRef text, StringRef place, Problem &problem) {
  support::TextError error;
  auto root = support::readJson(text, error, {.depth = deepest});
  if (!root)
    problem.report(
        {fmt::format("{}: line {}", place, error.line), "no valid JSON: " + std::move(error.why)});
  return root;
}

void Row::compare(const std::string &what, llvm::ArrayRef<std::string> says,
                  llvm::ArrayRef<std::string> builtIn) const {
  auto at = [](llvm::ArrayRef<std::string> texts, size_t index) {
    return index < texts.size() ? texts[index] : "nothing further";
  };
  for (size_t i = 0; i < std::max(says.size(), builtIn.size()); ++i)
    if (at(says, i) != at(builtIn, i))
      return contradict(what, at(says, i), at(builtIn, i));
}

void Row::requireKeys(const Value &object, StringRef what, llvm::ArrayRef<StringRef> known) const {
  for (StringRef key : object.keys)
    if (!llvm::is_contained(known, key))
      problem->report({place,
                       fmt::format("unknown {} \"{}\"", what, key),
                       false,
                       {{"known", llvm::join(known, ", ")}}});
}

const Value &Row::value(StringRef key) const {
  static const Value null;
  const Value *found = good() ? object->find(key) : nullptr;
  require(found, "no \"{}\"", key);
  return found ? *found : null;
}

StringRef Row::text(StringRef key) const {
  const Value &found = value(key);
  require(found.isText() && !found.text.empty(), "\"{}\" is not a string", key);
  return found.isText() ? StringRef(found.text) : "";
}

StringRef Row::textOrNull(StringRef key) const {
  const Value &found = value(key);
  if (found.isNull())
    return {};
  require(found.isText(), "\"{}\" is neither a text nor null", key);
  return found.isText() ? StringRef(found.text) : "";
}

bool Row::flag(StringRef key) const {
  const Value &found = value(key);
  require(found.kind == Value::Kind::Boolean, "\"{}\" is neither true nor false", key);
  return found.text == "true";
}

std::optional<bool> Row::flagOrNull(StringRef key) const {
  return value(key).isNull() ? std::nullopt : std::optional(flag(key));
}

unsigned Row::number(StringRef key) const {
  auto found = value(key).integer();
  bool fits = found && *found >= 0 && *found <= std::numeric_limits<unsigned>::max();
  require(fits, "\"{}\" is not a number", key);
  return fits ? unsigned(*found) : 0;
}

llvm::ArrayRef<Value> Row::asArray(const Value &value, StringRef name) const {
  if (!require(value.isList(), "{} is not a list", name) ||
      !require(value.items.size() <= problem->mostEntries, "{} has more than {} entries", name,
               problem->mostEntries))
    return {};
  return value.items;
}

llvm::ArrayRef<Value> Row::array(StringRef key) const {
  return asArray(value(key), fmt::format("\"{}\"", key));
}

const Value &Row::map(StringRef key) const {
  static const Value none = Value::table();
  const Value &found = value(key);
  return require(found.isTable(), "\"{}\" is not an object", key) ? found : none;
}

std::vector<std::pair<StringRef, StringRef>> Row::textMap(StringRef key) const {
  std::vector<std::pair<StringRef, StringRef>> all;
  for (const auto &[name, text] : membersOf(map(key)))
    all.emplace_back(name, asText(text));
  llvm::sort(all);
  return all;
}

std::vector<Row> Row::rows(StringRef key) const {
  return rowsOf(array(key), place + (key == "rows" ? ": row" : fmt::format(", {}", key)), *problem);
}

StringRef Row::asText(const Value &value) const {
  require(value.isText() && !value.text.empty(), "a text is expected in a list");
  return value.isText() ? StringRef(value.text) : "";
}

std::vector<StringRef> Row::textsOf(llvm::ArrayRef<Value> array) const {
  std::vector<StringRef> all;
  for (const Value &each : array)
    all.push_back(asText(each));
  return all;
}

std::vector<std::string> Row::strings(StringRef key) const {
  auto all = texts(key);
  return {all.begin(), all.end()};
}

unsigned Row::asIndex(const Value &value) const {
  auto found = value.integer();
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
  require(valid && all.size() == count, "\"{}\" is not {} below 255", text, words[count - 1]);
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
  require(version.has_value(), "\"{}\" is not a version", text);
  return version.value_or(versions::Version{});
}

versions::SpecifierSet Row::asSpecifiers(StringRef text) const {
  auto set = versions::SpecifierSet::parse(text);
  require(text.empty() || set, "\"{}\" is not a specifier", text);
  return set.value_or(versions::SpecifierSet{});
}

Confidence Row::confidence() const {
  return choice<Confidence>("confidence", {{"verified", Confidence::Verified},
                                           {"sourced", Confidence::Sourced},
                                           {"secondary", Confidence::Secondary},
                                           {"unverified", Confidence::Unverified}});
}

std::vector<Row> rowsOf(llvm::ArrayRef<Value> objects, StringRef prefix, Problem &problem) {
  std::vector<Row> all;
  all.reserve(objects.size());
  for (const Value &each : objects) {
    std::string place = fmt::format("{} {}", prefix, all.size() + 1);
    if (!each.isTable()) {
      problem.report({std::move(place), "it is not an object"});
      return {};
    }
    all.emplace_back(each, std::move(place), problem);
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
