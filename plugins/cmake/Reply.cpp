#include "plugins/cmake/Reply.h"
#include "driver/core/Diagnostic.h"

namespace cudacc::cmake {

using namespace core;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr uint64_t largestReply = 64 << 20;
/// The parser recurses (F24); a reply nests eight deep.
static constexpr unsigned deepestReply = 64;

static bool nestsTooDeep(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    } else if (c == '[' || c == '{') {
      if (++depth > deepestReply)
        return true;
    } else if (c == ']' || c == '}') {
      depth -= depth != 0;
    }
  }
  return false;
}

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
  if (nestsTooDeep(*text))
    return brokenReply(path, "nested more than 64 deep");
  auto value = json::parse(*text);
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
