// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Json.h"
#include "driver/support/Json.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

static constexpr uint64_t MaxNumber = (uint64_t(1) << 53) - 1;
static constexpr size_t MaxJsonText = 64 << 10, MaxKeys = 256;
static constexpr unsigned MaxJsonDepth = 4;

static bool allowed(char c) { return c >= 0x20 && c <= 0x7e && c != '"' && c != '\\'; }

static std::string encoded(llvm::StringRef raw) {
  std::string result;
  for (char c : raw) {
    if (allowed(c)) {
      result += c;
      continue;
    }
    result += '%';
    result += llvm::hexdigit(uint8_t(c) >> 4);
    result += llvm::hexdigit(uint8_t(c) & 15);
  }
  return result;
}

Json Json::of(uint64_t number) {
  Json result;
  result.kind = Kind::Number;
  result.text = llvm::utostr(std::min(number, MaxNumber));
  return result;
}

Json Json::of(llvm::StringRef text) {
  Json result;
  result.kind = Kind::Text;
  result.text = encoded(text);
  return result;
}

Json Json::set(std::vector<std::string> texts) {
  Json result;
  result.kind = Kind::List;
  for (std::string &text : texts)
    text = encoded(text);
  llvm::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  for (const std::string &text : texts)
    if (!text.empty())
      result.items.push_back(of(llvm::StringRef(text)));
  return result;
}

void Json::set(llvm::StringRef key, Json value) {
  if (key.empty() || (value.kind == Kind::Text && value.text.empty()))
    return;
  std::string name = encoded(key);
  auto place = llvm::lower_bound(keys, name);
  size_t index = place - keys.begin();
  if (place != keys.end() && *place == name) {
    items[index] = std::move(value);
    return;
  }
  keys.insert(place, std::move(name));
  items.insert(items.begin() + index, std::move(value));
}

static void print(const support::Value &value, std::string &out) {
  using Kind = Json::Kind;
  bool isTable = value.kind == Kind::Table, isText = value.kind == Kind::Text;
  if (!isTable && value.kind != Kind::List) {
    out += isText ? fmt::format("\"{}\"", value.text) : value.text;
    return;
  }
  out += isTable ? '{' : '[';
  for (size_t i = 0; i != value.items.size(); ++i) {
    if (i)
      out += ',';
    if (isTable)
      out += fmt::format("\"{}\":", value.keys[i]);
    print(value.items[i], out);
  }
  out += isTable ? '}' : ']';
}

std::string Json::str() const {
  std::string result;
  print(*this, result);
  return result;
}

/// Returns what in syntactically valid JSON violates RD-6 or MJ-1; null if nothing.
static const char *faultOf(const support::Value &value) {
  std::optional<int64_t> number = value.integer();
  switch (value.kind) {
  case Json::Kind::None:
  case Json::Kind::Boolean:
    return "not a value of this format";
  case Json::Kind::Number:
    return number && *number >= 0 && uint64_t(*number) <= MaxNumber
               ? nullptr
               : "a number that is no integer up to 2^53-1";
  case Json::Kind::Text:
    return value.text.empty() ? "an empty string" : nullptr;
  case Json::Kind::List:
  case Json::Kind::Table:
    break;
  }
  if (value.keys.size() > MaxKeys)
    return "more than 256 keys";
  if (llvm::is_contained(value.keys, ""))
    return "an empty string";
  for (const support::Value &item : value.items)
    if (const char *fault = faultOf(item))
      return fault;
  return nullptr;
}

/// Accepts a text only if it is byte for byte the canonical form of its value.
std::optional<Json> Json::parse(llvm::StringRef text, std::string &problem) {
  auto no = [&](llvm::StringRef what, size_t at) {
    problem = fmt::format("{} (byte {})", what, at);
    return std::nullopt;
  };
  // Only texts within the limit are searched for forbidden bytes.
  const char *bad = llvm::find_if(text.take_front(MaxJsonText + 1),
                                  [](char c) { return c != '"' && !allowed(c); });
  support::TextError error;
  support::JsonLimits limits;
  limits.bytes = MaxJsonText;
  limits.depth = MaxJsonDepth;
  limits.values = MaxJsonText;
  if (text.size() <= MaxJsonText && bad != text.end())
    return no("a byte that is not allowed in a string", bad - text.begin());
  auto value = support::readJson(text, error, limits);
  if (!value)
    return no(error.why, error.column - 1);
  if (!value->isTable())
    return no("no object", 0);
  if (const char *fault = faultOf(*value))
    return no(fault, 0);
  Json result;
  static_cast<support::Value &>(result) = std::move(*value);
  std::string canonical = result.str();
  if (canonical != text)
    return no("not in the canonical form",
              std::mismatch(canonical.begin(), canonical.end(), text.begin(), text.end()).first -
                  canonical.begin());
  return result;
}

} // namespace cudacc::binary
