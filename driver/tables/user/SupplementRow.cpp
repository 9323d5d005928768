#include "driver/tables/user/SupplementRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::tables::supplement {

using core::Code;
using llvm::StringRef;
namespace json = llvm::json;

void Problem::broken(StringRef place, const llvm::Twine &what) {
  if (finding)
    return;
  finding.emplace();
  finding->code = Code::BrokenFacts;
  finding->message = ("the facts file is broken: " + what).str();
  finding->facts.push_back({"where", file + (place.empty() ? "" : ": ") + place.str()});
}

bool Row::require(bool condition, const llvm::Twine &what) const {
  if (!condition)
    problem->broken(place, what);
  return good();
}

void Row::contradict(const llvm::Twine &what, std::string says, std::string builtIn) const {
  if (!good())
    return;
  core::Finding &finding = problem->finding.emplace();
  finding.code = Code::FactsContradict;
  finding.message = what.str();
  finding.facts = {{"where", problem->file + ": " + place},
                   {"says", std::move(says)},
                   {"built in", std::move(builtIn)}};
  finding.fixes = {"take the row out", "env:PATH, what is installed there"};
}

const json::Value *Row::value(StringRef key) const {
  const json::Value *found = good() ? object->get(key) : nullptr;
  require(found, "no \"" + key + "\"");
  return found;
}

StringRef Row::text(StringRef key) const {
  const json::Value *found = value(key);
  auto text = found ? found->getAsString() : std::nullopt;
  require(text && !text->empty(), "\"" + key + "\" is no text");
  return text.value_or("");
}

StringRef Row::textOrNull(StringRef key) const {
  const json::Value *found = value(key);
  if (!found || found->kind() == json::Value::Null)
    return {};
  auto text = found->getAsString();
  require(text.has_value(), "\"" + key + "\" is neither a text nor null");
  return text.value_or("");
}

bool Row::flag(StringRef key) const {
  const json::Value *found = value(key);
  auto flag = found ? found->getAsBoolean() : std::nullopt;
  require(flag.has_value(), "\"" + key + "\" is neither true nor false");
  return flag.value_or(false);
}

const json::Array &Row::array(StringRef key) const {
  static const json::Array none;
  const json::Value *found = value(key);
  const json::Array *array = found ? found->getAsArray() : nullptr;
  require(array, "\"" + key + "\" is no list");
  if (array && !require(array->size() <= mostRows,
                        "\"" + key + "\" has more than " + llvm::Twine(mostRows) + " entries"))
    return none;
  return array ? *array : none;
}

StringRef Row::asText(const json::Value &value) const {
  auto text = value.getAsString();
  require(text && !text->empty(), "a text is expected in a list");
  return text.value_or("");
}

std::vector<StringRef> Row::texts(StringRef key) const {
  std::vector<StringRef> all;
  for (const json::Value &each : array(key))
    all.push_back(asText(each));
  return all;
}

std::vector<Row> Row::rows(StringRef key) const {
  std::vector<Row> all;
  for (const json::Value &each : array(key)) {
    std::string inner = place + ", " + key.str() + " " + std::to_string(all.size() + 1);
    const json::Object *one = each.getAsObject();
    if (!one) {
      problem->broken(inner, "it is no object");
      return {};
    }
    all.emplace_back(*one, std::move(inner), *problem);
  }
  return all;
}

std::vector<std::pair<StringRef, StringRef>> Row::map(StringRef key) const {
  std::vector<std::pair<StringRef, StringRef>> all;
  const json::Value *found = value(key);
  const json::Object *map = found ? found->getAsObject() : nullptr;
  if (!require(map, "\"" + key + "\" is no object"))
    return all;
  for (const auto &[name, text] : *map)
    all.emplace_back(name, asText(text));
  // The parser's table has an order of its own, different from run to run.
  llvm::sort(all);
  return all;
}

std::vector<unsigned> Row::numbers(StringRef text, size_t count) const {
  std::vector<unsigned> all;
  bool good = !text.empty();
  for (StringRef part : llvm::split(text, '.')) {
    unsigned number = 0;
    good &= llvm::all_of(part, llvm::isDigit) && !part.getAsInteger(10, number) && number < 255;
    all.push_back(number);
  }
  require(good && all.size() == count,
          "\"" + text + "\" is not " + (count == 2 ? "two" : "three") + " numbers with a dot");
  all.resize(count);
  return all;
}

versions::CudaVersion Row::cuda(StringRef key) const {
  auto parts = numbers(text(key), 2);
  return {parts[0], parts[1]};
}

Number Row::asNumber(StringRef text) const {
  auto parts = numbers(text, 3);
  return {parts[0], parts[1], parts[2]};
}

versions::Version Row::asVersion(StringRef text) const {
  auto version = versions::Version::parse(text);
  require(version.has_value(), "\"" + text + "\" is no version");
  return version.value_or(versions::Version{});
}

Confidence Row::confidence(StringRef text) const {
  auto found = llvm::StringSwitch<std::optional<Confidence>>(text)
                   .Case("verified", Confidence::Verified)
                   .Case("sourced", Confidence::Sourced)
                   .Case("secondary", Confidence::Secondary)
                   .Case("unverified", Confidence::Unverified)
                   .Default(std::nullopt);
  require(found.has_value(), "unknown confidence \"" + text + "\"");
  return found.value_or(Confidence::Unverified);
}

std::string str(const Number &number) {
  return std::to_string(number[0]) + "." + std::to_string(number[1]) + "." +
         std::to_string(number[2]);
}

std::vector<Row> Tables::rows(StringRef table) const {
  std::vector<Row> all;
  const json::Value *found = tables->get(table);
  const json::Array *array = found ? found->getAsArray() : nullptr;
  if (found && !array)
    problem->broken(table, "it is no list of rows");
  if (array && array->size() > mostRows)
    problem->broken(table, "more than " + llvm::Twine(mostRows) + " rows");
  if (!array || problem->finding)
    return all;
  for (const json::Value &each : *array) {
    std::string place = (table + ", row " + llvm::Twine(all.size() + 1)).str();
    const json::Object *one = each.getAsObject();
    if (!one) {
      problem->broken(place, "it is no object");
      return {};
    }
    const Row &row = all.emplace_back(*one, std::move(place), *problem);
    // Every row says where it comes from and how sure it is, or it is no fact.
    row.text("source");
    row.confidence(row.text("confidence"));
  }
  return all;
}

} // namespace cudacc::tables::supplement
