#include "driver/tables/lookup/Supplement.h"
#include "driver/tables/user/SupplementRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables {

using namespace supplement;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr llvm::StringLiteral known[] = {"torch_wheel_pins",      "pytorch_cuda_lines",
                                                "torch_pypi_default",    "ctk_component_versions",
                                                "nvidia_wheel_versions", "framework_targets"};

/// A row nests seven deep; the parser recurses.
static constexpr unsigned deepest = 32;

static bool nestsTooDeep(StringRef text) {
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    else if (c == '[' || c == '{')
      if (++depth > deepest)
        return true;
    if (c == ']' || c == '}')
      depth -= depth != 0;
  }
  return false;
}

/// Its message is `[12:3, byte=210]: Expected ...`.
static void notJson(std::string error, Problem &problem) {
  StringRef why = error;
  unsigned line = 1;
  if (why.consume_front("[")) {
    why.consumeInteger(10, line);
    why = why.split("]: ").second;
  }
  problem.broken("line " + std::to_string(line), "no valid JSON: " + why);
}

static const json::Object *tablesOf(const json::Value &root, Problem &problem) {
  const json::Object *object = root.getAsObject();
  const json::Value *tables = object ? object->get("tables") : nullptr;
  if (!object)
    problem.broken("", "it is no object");
  else if (object->getInteger("schema") != 1)
    problem.broken("", "\"schema\" is not 1");
  else if (!tables || !tables->getAsObject())
    problem.broken("", "\"tables\" is no object");
  if (problem.finding)
    return nullptr;
  for (const auto &[key, value] : *object)
    if (StringRef name = key; !llvm::is_contained(
            {StringRef("schema"), StringRef("description"), StringRef("tables")}, name))
      problem.broken("", "unknown key \"" + name + "\"");
  for (const auto &[key, value] : *tables->getAsObject())
    if (StringRef name = key; !llvm::is_contained(known, name)) {
      problem.broken("", "unknown table \"" + name + "\"");
      problem.finding->facts.push_back({"known", llvm::join(llvm::ArrayRef(known), ", ")});
      break;
    }
  return tables->getAsObject();
}

static void readText(StringRef text, Supplement &out, Problem &problem) {
  if (nestsTooDeep(text))
    return problem.broken("", "nested more than " + llvm::Twine(deepest) + " deep");
  auto root = json::parse(text);
  if (!root)
    return notJson(llvm::toString(root.takeError()), problem);
  if (const json::Object *object = tablesOf(*root, problem)) {
    Tables tables(*object, problem);
    readToolkits(tables, out);
    readTorch(tables, out);
    readFrameworks(tables, out);
  }
}

llvm::Expected<Supplement> readSupplement(StringRef text, StringRef shown) {
  Problem problem{shown.str(), {}};
  Supplement supplement;
  readText(text, supplement, problem);
  if (!problem.finding)
    return supplement;
  if (problem.finding->fixes.empty())
    problem.finding->fixes = {"leave it out, and declare env:PATH or cuda=="};
  return core::fail(std::move(*problem.finding));
}

const Supplement::Wheel *Supplement::findWheel(StringRef dist,
                                               const versions::Version &version) const {
  auto find = [&](const versions::Version &wanted) {
    auto it = llvm::find_if(
        wheels, [&](const Wheel &each) { return each.dist == dist && each.version == wanted; });
    return it == wheels.end() ? nullptr : &*it;
  };
  const Wheel *found = find(version);
  if (found || !version.post)
    return found;
  versions::Version base = version;
  base.post.reset();
  return find(base);
}

} // namespace cudacc::tables
