// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/Json.h"
#include "driver/binary/manifest/Note.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"

namespace cudacc::binary {

using support::Value;

static Json text(llvm::StringRef value) { return Json::of(value); }

static Json header(llvm::StringRef kind) {
  Json result;
  result.set("schema", Json::of(uint64_t(1)));
  result.set("kind", text(kind));
  return result;
}

/// Visits every key of an object record, for both writer and reader.
template <typename Fields, typename Record> static void visitObject(Fields fields, Record &record) {
  fields("tool", record.tool);
  fields("toolkit", record.toolkit);
  fields("headers", record.headers);
  fields("host", record.host);
}

/// Visits every key of a link record.
template <typename Fields, typename Record> static void visitLink(Fields fields, Record &record) {
  fields("tool", record.tool);
  fields("policy", record.policy);
  fields("host", record.host);
  fields("linker", record.linker);
  fields("needed", record.needed);
  fields("floor", record.floor);
  fields("torch", record.torch);
  fields("rpath", record.rpath);
  fields("cudart", record.cudart);
  fields("sass", record.sass);
  fields("waivers", record.waivers);
  fields("enforce", record.enforce);
  fields("trunc", record.truncated);
  fields("develop", record.develop);
  fields.inside("target", [&](Fields target) {
    target("cuda", record.targetCuda);
    target("spec", record.targetSpec);
    target("libs", record.targetLibs);
  });
  fields.inside("toolkit", [&](Fields toolkit) {
    toolkit("max", record.toolkitMax);
    toolkit("min", record.toolkitMin);
  });
  fields.inside("ptx", [&](Fields ptx) { ptx("max", record.ptxMax); });
  fields.inside("ltoir", [&](Fields ltoir) { ltoir("max", record.ltoirMax); });
  fields.inside("objects", [&](Fields objects) {
    objects("noted", record.noted);
    objects("unnoted", record.unnoted);
  });
}

namespace {
/// Writes the fields that are set.
struct Writer {
  Json &json;

  void operator()(llvm::StringRef key, const std::string &value) { json.set(key, text(value)); }
  void operator()(llvm::StringRef key, bool value) {
    if (value)
      json.set(key, Json::of(uint64_t(1)));
  }
  void operator()(llvm::StringRef key, std::optional<uint64_t> value) {
    if (value)
      json.set(key, Json::of(*value));
  }
  void operator()(llvm::StringRef key, const std::optional<std::vector<std::string>> &texts) {
    if (texts)
      json.set(key, Json::set(*texts));
  }
  void operator()(llvm::StringRef key, const std::map<std::string, std::string> &rows) {
    inside(key, [&](Writer object) {
      for (const auto &[name, value] : rows)
        object(name, value);
    });
  }
  template <typename Visit> void inside(llvm::StringRef key, Visit visit) {
    Json object;
    visit(Writer{object});
    if (!object.items.empty())
      json.set(key, std::move(object));
  }
};
} // namespace

std::string toJson(const core::ObjectRecord &record) {
  Json json = header("object");
  visitObject(Writer{json}, record);
  return json.str();
}

std::string toJson(const core::LinkRecord &record) {
  Json json = header("link");
  visitLink(Writer{json}, record);
  return json.str();
}

llvm::Expected<std::string> fitJson(core::LinkRecord record, uint32_t capacity) {
  // `variant`, which is the first in IP-3, is not written yet.
  for (unsigned dropped = 0;; ++dropped) {
    std::string json = toJson(record);
    if (json.size() + 1 <= capacity)
      return json;
    record.truncated = true;
    if (dropped == 0)
      record.targetLibs.clear();
    else if (dropped == 1)
      record.needed.reset();
    else if (dropped == 2)
      record.floor.clear(), record.torch.clear();
    else
      return core::makeError(
          core::Code::LimitReached,
          fmt::format("the manifest needs {} bytes and has {}", json.size() + 1, capacity), {},
          {"shorten the reasons of waivers, or the declaration"});
  }
}

namespace {
/// Reads the known keys of a record; the first value of a wrong type is reported as the problem.
struct Reader {
  const Value &json;
  std::string &problem;
  bool &ok;

  const Value *get(llvm::StringRef key, Json::Kind kind) {
    const Value *value = json.find(key);
    if (!value || value->kind == kind)
      return value;
    problem = fmt::format("another type than it must have: {}", key);
    ok = false;
    return nullptr;
  }
  void operator()(llvm::StringRef key, std::string &out) {
    if (const Value *value = get(key, Json::Kind::Text))
      out = value->text;
  }
  void operator()(llvm::StringRef key, std::optional<uint64_t> &out) {
    if (const Value *value = get(key, Json::Kind::Number))
      out = value->integer();
  }
  void operator()(llvm::StringRef key, bool &out) {
    std::optional<uint64_t> number;
    (*this)(key, number);
    out = number.value_or(0);
  }
  void operator()(llvm::StringRef key, std::optional<std::vector<std::string>> &out) {
    const Value *list = get(key, Json::Kind::List);
    if (!list)
      return;
    out.emplace();
    for (const Value &item : list->items)
      if (item.isText())
        out->push_back(item.text);
  }
  void operator()(llvm::StringRef key, std::map<std::string, std::string> &out) {
    const Value *object = get(key, Json::Kind::Table);
    if (!object)
      return;
    for (size_t i = 0; i != object->keys.size(); ++i)
      if (object->items[i].isText())
        out[object->keys[i]] = object->items[i].text;
  }
  template <typename Visit> void inside(llvm::StringRef key, Visit visit) {
    if (const Value *object = get(key, Json::Kind::Table))
      visit(Reader{*object, problem, ok});
  }
};
} // namespace

static std::optional<Json> parseKind(llvm::StringRef json, llvm::StringRef wanted,
                                     std::string &problem) {
  auto parsed = Json::parse(json, problem);
  if (!parsed)
    return std::nullopt;
  bool ok = true;
  Reader fields{*parsed, problem, ok};
  std::string kind;
  std::optional<uint64_t> schema;
  fields("kind", kind);
  fields("schema", schema);
  if (!ok)
    return std::nullopt;
  if (kind != wanted)
    problem = fmt::format("its kind is not {}", wanted);
  else if (schema != 1)
    problem = "its schema is not 1";
  else
    return parsed;
  return std::nullopt;
}

std::optional<core::ObjectRecord> parseObjectRecord(llvm::StringRef json, std::string &problem) {
  auto parsed = parseKind(json, "object", problem);
  if (!parsed)
    return std::nullopt;
  core::ObjectRecord record;
  bool ok = true;
  visitObject(Reader{*parsed, problem, ok}, record);
  return ok ? std::optional(std::move(record)) : std::nullopt;
}

std::optional<core::LinkRecord> parseLinkRecord(llvm::StringRef json, std::string &problem) {
  auto parsed = parseKind(json, "link", problem);
  if (!parsed)
    return std::nullopt;
  core::LinkRecord record;
  bool ok = true;
  visitLink(Reader{*parsed, problem, ok}, record);
  return ok ? std::optional(std::move(record)) : std::nullopt;
}

} // namespace cudacc::binary
