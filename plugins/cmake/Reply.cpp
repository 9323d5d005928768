#include "plugins/cmake/Reply.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::cmake {

using namespace core;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr uint64_t largestReply = 64 << 20;
/// The parser recurses (F24); a reply nests eight deep.
static constexpr unsigned deepestReply = 64;

/// Members that nobody asks for and that are most of a reply: flags and include directories.
static bool isPassedOver(StringRef key) {
  static constexpr llvm::StringLiteral names[] = {
      "includes",     "defines",          "implicit",     "compileCommandFragments",
      "sourceGroups", "languageStandard", "dependencies", "compileDependencies"};
  return llvm::is_contained(names, key);
}

namespace {

/// What is parsed of a reply, once it is known not to nest too deep: the parser costs more than all
/// else of an audit.
class Excerpt {
public:
  explicit Excerpt(StringRef text) : text(text) { out.reserve(text.size()); }

  /// Nothing: nested too deep.
  std::optional<std::string> take() {
    size_t kept = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '"') {
        if (!count(text[i]))
          return std::nullopt;
        continue;
      }
      size_t end = endOfText(i);
      size_t value = valueBehind(i, end);
      i = end;
      if (value == StringRef::npos)
        continue;
      size_t behind = endOfValue(value);
      if (behind == StringRef::npos)
        return std::nullopt;
      // A comma follows, or the end of the object.
      out += text.slice(kept, value);
      out += '0';
      kept = behind;
      i = behind - 1;
    }
    out += text.substr(kept);
    return std::move(out);
  }

private:
  StringRef text;
  std::string out;
  unsigned depth = 0;

  bool count(char c) {
    if (c == '[' || c == '{')
      return ++depth <= deepestReply;
    if (c == ']' || c == '}')
      depth -= depth != 0;
    return true;
  }
  /// Index of the closing quote.
  size_t endOfText(size_t at) const {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      at += text[at] == '\\';
    return std::min(at, text.size());
  }
  /// Where the value of a member begins that is passed over, a list or an object; npos: it is none.
  size_t valueBehind(size_t begin, size_t end) const {
    if (!isPassedOver(text.slice(begin + 1, end)))
      return StringRef::npos;
    size_t at = text.find_first_not_of(" \t\r\n", end + 1);
    if (at == StringRef::npos || text[at] != ':')
      return StringRef::npos;
    at = text.find_first_not_of(" \t\r\n", at + 1);
    return at != StringRef::npos && (text[at] == '[' || text[at] == '{') ? at : StringRef::npos;
  }
  /// Behind its closing bracket, or the end of the text, which then does not parse; npos: too deep.
  size_t endOfValue(size_t at) {
    unsigned outside = depth;
    for (; at < text.size(); ++at) {
      if (text[at] == '"')
        at = endOfText(at);
      else if (!count(text[at]))
        return StringRef::npos;
      else if (depth == outside)
        return at + 1;
    }
    return text.size();
  }
};

} // namespace

static llvm::Error brokenReply(StringRef path, const llvm::Twine &what) {
  StringRef name = path.substr(path.rfind('/') + 1);
  return fail(Code::BrokenDescription, ("CMake's reply " + name + " cannot be read").str(),
              {{"file", path.str()}, {"because", what.str()}},
              {"configure again: CMake writes it anew"});
}

llvm::Expected<Reply> Reply::read(Files &files, StringRef folder, StringRef name) {
  std::string path = (folder + "/" + name).str();
  if (name.empty() || name.contains('/') || name.contains('\0'))
    return brokenReply(folder, "it names a file '" + name + "'");
  auto text = files.read(path, largestReply);
  if (!text) {
    Finding finding = takeFinding(text.takeError());
    return brokenReply(path, finding.message);
  }
  auto excerpt = Excerpt(*text).take();
  if (!excerpt)
    return brokenReply(path, "nested more than 64 deep");
  auto value = json::parse(*excerpt);
  if (!value)
    return brokenReply(path, "no valid JSON: " + llvm::toString(value.takeError()));
  if (!value->getAsObject())
    return brokenReply(path, "it is no object");
  return Reply(std::move(path), std::move(*value));
}

void Reply::broken(const llvm::Twine &what) {
  if (problem.empty())
    problem = what.str();
}

llvm::Error Reply::take() {
  if (problem.empty())
    return llvm::Error::success();
  return brokenReply(path, problem);
}

StringRef Reply::text(const Object &object, StringRef key) {
  const json::Value *found = object.get(key);
  if (!found)
    return "";
  if (auto text = found->getAsString())
    return *text;
  broken("\"" + key + "\" is no text");
  return "";
}

int64_t Reply::number(const Object &object, StringRef key) {
  const json::Value *found = object.get(key);
  if (!found)
    return -1;
  if (auto number = found->getAsInteger())
    return *number;
  broken("\"" + key + "\" is no number");
  return -1;
}

bool Reply::flag(const Object &object, StringRef key) {
  const json::Value *found = object.get(key);
  if (!found)
    return false;
  if (auto flag = found->getAsBoolean())
    return *flag;
  broken("\"" + key + "\" is neither true nor false");
  return false;
}

const json::Object *Reply::object(const Object &object, StringRef key) {
  const json::Value *found = object.get(key);
  if (!found)
    return nullptr;
  if (const json::Object *inner = found->getAsObject())
    return inner;
  broken("\"" + key + "\" is no object");
  return nullptr;
}

template <typename Item, typename Get>
static void each(Reply &reply, const json::Value *list, StringRef key, Get get, Item onItem) {
  if (!list)
    return;
  const json::Array *items = list->getAsArray();
  if (!items)
    return reply.broken("\"" + key + "\" is no list");
  for (const json::Value &item : *items)
    if (auto value = get(item))
      onItem(*value);
    else
      reply.broken("an item of \"" + key + "\" has another type");
}

void Reply::objects(const Object &object, StringRef key,
                    llvm::function_ref<void(const Object &)> onItem) {
  each(
      *this, object.get(key), key, [](const json::Value &item) { return item.getAsObject(); },
      onItem);
}

void Reply::texts(const Object &object, StringRef key, llvm::function_ref<void(StringRef)> onItem) {
  each(
      *this, object.get(key), key, [](const json::Value &item) { return item.getAsString(); },
      onItem);
}

void Reply::numbers(const Object &object, StringRef key, llvm::function_ref<void(int64_t)> onItem) {
  each(
      *this, object.get(key), key, [](const json::Value &item) { return item.getAsInteger(); },
      onItem);
}

} // namespace cudacc::cmake
