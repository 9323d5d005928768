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

static void setObject(Json &out, llvm::StringRef key, Json value) {
  if (!value.items.empty())
    out.set(key, std::move(value));
}

static Json mapOf(const std::map<std::string, std::string> &rows) {
  Json result;
  for (const auto &[key, value] : rows)
    result.set(key, text(value));
  return result;
}

std::string toJson(const core::ObjectRecord &record) {
  Json json = header("object");
  json.set("tool", text(record.tool));
  json.set("toolkit", text(record.toolkit));
  json.set("headers", text(record.headers));
  json.set("host", text(record.host));
  return json.str();
}

std::string toJson(const core::LinkRecord &record) {
  Json json = header("link"), target, toolkit, ptx, ltoir, objects;
  json.set("tool", text(record.tool));
  json.set("policy", text(record.policy));
  target.set("cuda", text(record.targetCuda));
  target.set("spec", text(record.targetSpec));
  setObject(target, "libs", mapOf(record.targetLibs));
  setObject(json, "target", std::move(target));
  toolkit.set("max", text(record.toolkitMax));
  toolkit.set("min", text(record.toolkitMin));
  setObject(json, "toolkit", std::move(toolkit));
  json.set("host", text(record.host));
  json.set("linker", text(record.linker));
  if (record.needed)
    json.set("needed", Json::set(*record.needed));
  setObject(json, "floor", mapOf(record.floor));
  json.set("torch", text(record.torch));
  json.set("rpath", text(record.rpath));
  json.set("cudart", text(record.cudart));
  if (record.sass)
    json.set("sass", Json::set(*record.sass));
  ptx.set("max", text(record.ptxMax));
  setObject(json, "ptx", std::move(ptx));
  ltoir.set("max", text(record.ltoirMax));
  setObject(json, "ltoir", std::move(ltoir));
  if (record.noted)
    objects.set("noted", Json::of(*record.noted));
  if (record.unnoted)
    objects.set("unnoted", Json::of(*record.unnoted));
  setObject(json, "objects", std::move(objects));
  if (record.waivers)
    json.set("waivers", Json::set(*record.waivers));
  json.set("enforce", text(record.enforce));
  if (record.develop)
    json.set("develop", Json::of(uint64_t(1)));
  if (record.truncated)
    json.set("trunc", Json::of(uint64_t(1)));
  return json.str();
}

llvm::Expected<std::string> fitJson(core::LinkRecord record, uint32_t capacity) {
  // `variant`, which IP-3 names first, is not written yet.
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
      return core::fail(
          core::Code::LimitReached,
          fmt::format("the manifest needs {} bytes and has {}", json.size() + 1, capacity), {},
          {"raise the manifest's capacity"});
  }
}

namespace {
/// Takes known keys out of a record; the first value of another type is the problem.
struct Fields {
  const Value &json;
  std::string &problem;
  bool ok = true;

  const Value *get(llvm::StringRef key, Json::Kind kind) {
    const Value *value = json.find(key);
    if (!value || value->kind == kind)
      return value;
    problem = fmt::format("another type than it must have: {}", key);
    ok = false;
    return nullptr;
  }
  void read(llvm::StringRef key, std::string &out) {
    if (const Value *value = get(key, Json::Kind::Text))
      out = value->text;
  }
  void read(llvm::StringRef key, std::optional<uint64_t> &out) {
    if (const Value *value = get(key, Json::Kind::Number))
      out = value->integer();
  }
  void read(llvm::StringRef key, std::optional<std::vector<std::string>> &out) {
    const Value *list = get(key, Json::Kind::List);
    if (!list)
      return;
    out.emplace();
    for (const Value &item : list->items)
      if (item.isText())
        out->push_back(item.text);
  }
  void read(llvm::StringRef key, std::map<std::string, std::string> &out) {
    const Value *object = get(key, Json::Kind::Table);
    if (!object)
      return;
    for (size_t i = 0; i != object->keys.size(); ++i)
      if (object->items[i].isText())
        out[object->keys[i]] = object->items[i].text;
  }
  Fields inside(llvm::StringRef key) {
    static const Value none;
    const Value *object = get(key, Json::Kind::Table);
    return {object ? *object : none, problem, ok};
  }
};
} // namespace

static std::optional<Json> parseKind(llvm::StringRef json, llvm::StringRef wanted,
                                     std::string &problem) {
  auto parsed = Json::parse(json, problem);
  if (!parsed)
    return std::nullopt;
  Fields fields{*parsed, problem};
  std::string kind;
  std::optional<uint64_t> schema;
  fields.read("kind", kind);
  fields.read("schema", schema);
  if (!fields.ok)
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
  Fields fields{*parsed, problem};
  core::ObjectRecord record;
  fields.read("tool", record.tool);
  fields.read("toolkit", record.toolkit);
  fields.read("headers", record.headers);
  fields.read("host", record.host);
  if (!fields.ok)
    return std::nullopt;
  return record;
}

std::optional<core::LinkRecord> parseLinkRecord(llvm::StringRef json, std::string &problem) {
  auto parsed = parseKind(json, "link", problem);
  if (!parsed)
    return std::nullopt;
  Fields fields{*parsed, problem};
  core::LinkRecord record;
  std::optional<uint64_t> truncated, develop;
  fields.read("tool", record.tool);
  fields.read("policy", record.policy);
  fields.read("host", record.host);
  fields.read("linker", record.linker);
  fields.read("needed", record.needed);
  fields.read("floor", record.floor);
  fields.read("torch", record.torch);
  fields.read("rpath", record.rpath);
  fields.read("cudart", record.cudart);
  fields.read("sass", record.sass);
  fields.read("waivers", record.waivers);
  fields.read("enforce", record.enforce);
  fields.read("trunc", truncated);
  record.truncated = truncated.value_or(0);
  fields.read("develop", develop);
  record.develop = develop.value_or(0);
  Fields target = fields.inside("target");
  target.read("cuda", record.targetCuda);
  target.read("spec", record.targetSpec);
  target.read("libs", record.targetLibs);
  Fields toolkit = fields.inside("toolkit");
  toolkit.read("max", record.toolkitMax);
  toolkit.read("min", record.toolkitMin);
  Fields ptx = fields.inside("ptx");
  ptx.read("max", record.ptxMax);
  Fields ltoir = fields.inside("ltoir");
  ltoir.read("max", record.ltoirMax);
  Fields objects = fields.inside("objects");
  objects.read("noted", record.noted);
  objects.read("unnoted", record.unnoted);
  if (!fields.ok || !target.ok || !toolkit.ok || !ptx.ok || !ltoir.ok || !objects.ok)
    return std::nullopt;
  return record;
}

} // namespace cudacc::binary
