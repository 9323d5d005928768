#include "plugins/buildsys/Document.h"
#include "driver/core/Diagnostic.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::buildsys {

using namespace core;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr uint64_t largestDocument = 64 << 20;
/// The parser recurses (F24); what build systems write nests eight deep.
static constexpr unsigned deepestDocument = 64;

namespace {

/// What is parsed of a document, once it is known not to nest too deep: the parser costs more than
/// all else of an audit.
class Excerpt {
public:
  Excerpt(StringRef text, llvm::ArrayRef<StringRef> passedOver)
      : text(text), passedOver(passedOver) {
    out.reserve(text.size());
  }

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
  llvm::ArrayRef<StringRef> passedOver;
  std::string out;
  unsigned depth = 0;

  bool count(char c) {
    if (c == '[' || c == '{')
      return ++depth <= deepestDocument;
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
    if (!llvm::is_contained(passedOver, text.slice(begin + 1, end)))
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

static llvm::Error brokenDocument(StringRef path, const llvm::Twine &what,
                                  const DocumentKind &kind) {
  StringRef name = path.substr(path.rfind('/') + 1);
  return fail(Code::BrokenDescription, (kind.noun + " " + name + " cannot be read").str(),
              {{"file", path.str()}, {"because", what.str()}}, {kind.remedy.str()});
}

llvm::Expected<Document> Document::read(Files &files, StringRef folder, StringRef name,
                                        const DocumentKind &kind) {
  std::string path = (folder + "/" + name).str();
  if (name.empty() || name.contains('/') || name.contains('\0'))
    return brokenDocument(folder, "it names a file '" + name + "'", kind);
  auto text = files.read(path, largestDocument);
  if (!text) {
    Finding finding = takeFinding(text.takeError());
    return brokenDocument(path, finding.message, kind);
  }
  auto excerpt = Excerpt(*text, kind.passedOver).take();
  if (!excerpt)
    return brokenDocument(path, "nested more than 64 deep", kind);
  auto value = json::parse(*excerpt);
  if (!value)
    return brokenDocument(path, "no valid JSON: " + llvm::toString(value.takeError()), kind);
  return Document(std::move(path), std::move(*value), kind);
}

void Document::broken(const llvm::Twine &what) {
  if (problem.empty())
    problem = what.str();
}

llvm::Error Document::take() {
  if (problem.empty())
    return llvm::Error::success();
  return brokenDocument(path, problem, *kind);
}

const Document::Object &Document::root() {
  static const Object nothing;
  if (const Object *object = value.getAsObject())
    return *object;
  broken("it is no object");
  return nothing;
}

static const json::Value *valueOf(const json::Object &object, StringRef key) {
  const json::Value *found = object.get(key);
  return found && found->getAsNull() ? nullptr : found;
}

StringRef Document::text(const Object &object, StringRef key) {
  const json::Value *found = valueOf(object, key);
  if (!found)
    return "";
  if (auto text = found->getAsString())
    return *text;
  broken("\"" + key + "\" is no text");
  return "";
}

int64_t Document::number(const Object &object, StringRef key) {
  const json::Value *found = valueOf(object, key);
  if (!found)
    return -1;
  if (auto number = found->getAsInteger())
    return *number;
  broken("\"" + key + "\" is no number");
  return -1;
}

bool Document::flag(const Object &object, StringRef key) {
  const json::Value *found = valueOf(object, key);
  if (!found)
    return false;
  if (auto flag = found->getAsBoolean())
    return *flag;
  broken("\"" + key + "\" is neither true nor false");
  return false;
}

const json::Object *Document::object(const Object &object, StringRef key) {
  const json::Value *found = valueOf(object, key);
  if (!found)
    return nullptr;
  if (const json::Object *inner = found->getAsObject())
    return inner;
  broken("\"" + key + "\" is no object");
  return nullptr;
}

template <typename Item, typename Get>
static void each(Document &document, const json::Value *list, const llvm::Twine &name, Get get,
                 Item onItem) {
  if (!list)
    return;
  const json::Array *items = list->getAsArray();
  if (!items)
    return document.broken(name + " is no list");
  for (const json::Value &item : *items)
    if (auto value = get(item))
      onItem(*value);
    else
      document.broken("an item of " + name + " has another type");
}

void Document::items(llvm::function_ref<void(const Object &)> onItem) {
  each(*this, &value, "it", [](const json::Value &item) { return item.getAsObject(); }, onItem);
}

void Document::lines(llvm::function_ref<void(StringRef)> onItem) {
  each(*this, &value, "it", [](const json::Value &item) { return item.getAsString(); }, onItem);
}

void Document::members(const Object &object,
                       llvm::function_ref<void(StringRef, const Object &)> onMember) {
  for (const auto &[key, member] : object)
    if (const json::Object *inner = member.getAsObject())
      onMember(key, *inner);
    else
      broken("\"" + StringRef(key) + "\" is no object");
}

void Document::objects(const Object &object, StringRef key,
                       llvm::function_ref<void(const Object &)> onItem) {
  each(
      *this, valueOf(object, key), "\"" + key + "\"",
      [](const json::Value &item) { return item.getAsObject(); }, onItem);
}

void Document::texts(const Object &object, StringRef key,
                     llvm::function_ref<void(StringRef)> onItem) {
  each(
      *this, valueOf(object, key), "\"" + key + "\"",
      [](const json::Value &item) { return item.getAsString(); }, onItem);
}

void Document::numbers(const Object &object, StringRef key,
                       llvm::function_ref<void(int64_t)> onItem) {
  each(
      *this, valueOf(object, key), "\"" + key + "\"",
      [](const json::Value &item) { return item.getAsInteger(); }, onItem);
}

} // namespace cudacc::buildsys
