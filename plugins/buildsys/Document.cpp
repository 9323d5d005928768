// SPDX-License-Identifier: Apache-2.0
#include "plugins/buildsys/Document.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::buildsys {

using namespace core;
using llvm::StringRef;
using support::Value;

/// What build systems write is nested eight levels deep.
static constexpr support::JsonLimits limits = {.bytes = 64 << 20, .depth = 64, .values = 1 << 22};

static llvm::Error brokenDocument(StringRef path, std::string what, const DocumentKind &kind) {
  return makeError(Code::BrokenDescription,
                   fmt::format("{} {} cannot be read", kind.noun, support::nameOf(path)),
                   {{"file", path.str()}, {"because", std::move(what)}}, {kind.remedy.str()});
}

llvm::Expected<Document> Document::read(Files &files, StringRef folder, StringRef name,
                                        const DocumentKind &kind) {
  std::string path = fmt::format("{}/{}", folder, name);
  if (name.empty() || name.contains('/') || name.contains('\0'))
    return brokenDocument(folder, fmt::format("it names a file '{}'", name), kind);
  auto text = files.read(path, limits.bytes);
  if (!text)
    return brokenDocument(path, toFinding(text.takeError()).message, kind);
  support::TextError error;
  auto value = support::readJson(*text, error, limits);
  if (!value)
    return brokenDocument(path, fmt::format("no valid JSON: {} (line {})", error.why, error.line),
                          kind);
  return Document(std::move(path), std::move(*value), kind);
}

void Document::broken(std::string what) {
  if (problem.empty())
    problem = std::move(what);
}

llvm::Error Document::take() {
  if (problem.empty())
    return llvm::Error::success();
  return brokenDocument(path, problem, *kind);
}

const Value &Document::root() {
  static const Value nothing;
  if (value.isTable())
    return value;
  broken("it is not an object");
  return nothing;
}

/// Null if the key is absent, or its value is null.
static const Value *valueOf(const Value &object, StringRef key) {
  const Value *found = object.find(key);
  return found && found->kind == Value::Kind::None ? nullptr : found;
}

/// The value at \p key if it is of \p kind; null if it is absent, or of another kind, which is
/// recorded.
static const Value *typed(Document &document, const Value &object, StringRef key, Value::Kind kind,
                          const char *problem) {
  const Value *found = valueOf(object, key);
  if (!found || found->kind == kind)
    return found;
  document.broken(fmt::format("\"{}\" is {}", key, problem));
  return nullptr;
}

StringRef Document::text(const Value &object, StringRef key) {
  const Value *found = typed(*this, object, key, Value::Kind::Text, "no text");
  return found ? StringRef(found->text) : "";
}

int64_t Document::number(const Value &object, StringRef key) {
  const Value *found = typed(*this, object, key, Value::Kind::Number, "no number");
  return found ? found->integer().value_or(-1) : -1;
}

bool Document::flag(const Value &object, StringRef key) {
  const Value *found = typed(*this, object, key, Value::Kind::Boolean, "neither true nor false");
  return found && found->text == "true";
}

const Value *Document::object(const Value &object, StringRef key) {
  return typed(*this, object, key, Value::Kind::Table, "no object");
}

/// Calls \p onItem for each item of \p list, which is at \p key, or the document if \p key is
/// empty. \p get returns null for an item of another type.
template <typename Item, typename Get>
static void each(Document &document, const Value *list, StringRef key, Get get, Item onItem) {
  if (!list)
    return;
  auto name = [&] { return key.empty() ? "it" : fmt::format("\"{}\"", key); };
  if (!list->isList())
    return document.broken(fmt::format("{} is not a list", name()));
  for (const Value &item : list->items)
    if (auto value = get(item))
      onItem(*value);
    else
      document.broken(fmt::format("an item of {} has another type", name()));
}

static const Value *objectOf(const Value &item) { return item.isTable() ? &item : nullptr; }
static const std::string *textOf(const Value &item) { return item.isText() ? &item.text : nullptr; }

void Document::items(llvm::function_ref<void(const Value &)> onItem) {
  each(*this, &value, "", objectOf, onItem);
}

void Document::lines(llvm::function_ref<void(StringRef)> onItem) {
  each(*this, &value, "", textOf, onItem);
}

void Document::members(const Value &object,
                       llvm::function_ref<void(StringRef, const Value &)> onMember) {
  for (auto [key, member] : llvm::zip_equal(object.keys, object.items))
    if (member.isTable())
      onMember(key, member);
    else
      broken(fmt::format("\"{}\" is not an object", key));
}

void Document::objects(const Value &object, StringRef key,
                       llvm::function_ref<void(const Value &)> onItem) {
  each(*this, valueOf(object, key), key, objectOf, onItem);
}

void Document::texts(const Value &object, StringRef key,
                     llvm::function_ref<void(StringRef)> onItem) {
  each(*this, valueOf(object, key), key, textOf, onItem);
}

void Document::numbers(const Value &object, StringRef key,
                       llvm::function_ref<void(int64_t)> onItem) {
  each(*this, valueOf(object, key), key, [](const Value &item) { return item.integer(); }, onItem);
}

} // namespace cudacc::buildsys
