#include "driver/binary/manifest/Json.h"
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
  result.number = std::min(number, MaxNumber);
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

const Json *Json::find(llvm::StringRef key) const {
  for (size_t i = 0; i != keys.size(); ++i)
    if (keys[i] == key)
      return &items[i];
  return nullptr;
}

static void print(const Json &value, std::string &out) {
  switch (value.kind) {
  case Json::Kind::Number:
    out += llvm::utostr(value.number);
    return;
  case Json::Kind::Text:
    out += '"' + value.text + '"';
    return;
  case Json::Kind::List:
  case Json::Kind::Object:
    break;
  }
  bool object = value.kind == Json::Kind::Object;
  out += object ? '{' : '[';
  for (size_t i = 0; i != value.items.size(); ++i) {
    if (i)
      out += ',';
    if (object)
      out += '"' + value.keys[i] + "\":";
    print(value.items[i], out);
  }
  out += object ? '}' : ']';
}

std::string Json::str() const {
  std::string result;
  print(*this, result);
  return result;
}

namespace {
class Parser {
public:
  Parser(llvm::StringRef text, std::string &problem) : text(text), problem(problem) {}

  bool document(Json &out) {
    if (text.size() > MaxJsonText)
      return no("the text is longer than 64 KiB");
    if (text.empty() || text[0] != '{')
      return no("no object");
    return value(out, 0) && (at == text.size() || no("text behind the end"));
  }

private:
  llvm::StringRef text;
  std::string &problem;
  size_t at = 0;

  bool no(const char *what) {
    problem = std::string(what) + " (byte " + llvm::utostr(at) + ")";
    return false;
  }
  bool eat(char c) {
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  bool value(Json &out, unsigned depth) {
    if (at == text.size())
      return no("the text ends early");
    char c = text[at];
    if (c == '"') {
      out.kind = Json::Kind::Text;
      return string(out.text);
    }
    if (llvm::isDigit(c)) {
      out.kind = Json::Kind::Number;
      return number(out.number);
    }
    if (c != '{' && c != '[')
      return no("not a value of this format");
    if (depth == MaxJsonDepth)
      return no("more than four levels of nesting");
    ++at;
    if (c == '{')
      return object(out, depth + 1);
    return list(out, depth + 1);
  }

  bool object(Json &out, unsigned depth) {
    out.kind = Json::Kind::Object;
    if (eat('}'))
      return true;
    do {
      std::string key;
      if (at == text.size() || text[at] != '"')
        return no("a key is missing");
      if (!string(key))
        return false;
      if (llvm::is_contained(out.keys, key))
        return no("a key occurs twice");
      if (out.keys.size() == MaxKeys)
        return no("more than 256 keys");
      out.keys.push_back(std::move(key));
      out.items.emplace_back();
      if (!eat(':'))
        return no("a colon is missing");
      if (!value(out.items.back(), depth))
        return false;
    } while (eat(','));
    return eat('}') || no("an object does not end");
  }

  bool list(Json &out, unsigned depth) {
    out.kind = Json::Kind::List;
    if (eat(']'))
      return true;
    do {
      out.items.emplace_back();
      if (!value(out.items.back(), depth))
        return false;
    } while (eat(','));
    return eat(']') || no("a list does not end");
  }

  bool string(std::string &out) {
    size_t begin = ++at;
    while (at != text.size() && allowed(text[at]))
      ++at;
    if (at == text.size())
      return no("a string does not end");
    if (text[at] != '"')
      return no("a byte that no string may hold");
    out = text.slice(begin, at).str();
    if (out.empty())
      return no("an empty string");
    ++at;
    return true;
  }

  bool number(uint64_t &out) {
    llvm::StringRef digits = text.substr(at).take_while(llvm::isDigit);
    if (digits.size() > 1 && digits[0] == '0')
      return no("a number with a leading zero");
    if (digits.size() > 16 || digits.getAsInteger(10, out) || out > MaxNumber)
      return no("a number beyond 2^53-1");
    at += digits.size();
    if (at != text.size() && llvm::StringRef(".eE").contains(text[at]))
      return no("a number that is no integer");
    return true;
  }
};
} // namespace

std::optional<Json> Json::parse(llvm::StringRef text, std::string &problem) {
  Json result;
  if (!Parser(text, problem).document(result))
    return std::nullopt;
  return result;
}

} // namespace cudacc::binary
