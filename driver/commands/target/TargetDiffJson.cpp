#include "driver/commands/target/TargetDiffJson.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Object;
using llvm::json::Value;

static Value sideJson(const core::Target &target) {
  Object out{{"declared", declaredJson(target.declaredAs)}};
  put(out, "line", target.line);
  put(out, "torch", target.torch);
  return out;
}

static Value libraryDiffJson(const LibraryDiff &each) {
  Object out{{"soname", fixed(each.soname)}};
  if (each.a)
    out["a"] = toJson(*each.a);
  if (each.b)
    out["b"] = toJson(*each.b);
  return out;
}

static Value settingJson(const SettingDiff &each) {
  Object out{{"name", each.name}};
  put(out, "a", each.a);
  put(out, "b", each.b);
  return out;
}

Value targetDiffJson(const core::Target &a, const core::Target &b, const TargetDiff &diff) {
  return Object{{"schema", 1},
                {"equal", diff.equal()},
                {"a", sideJson(a)},
                {"b", sideJson(b)},
                {"same", int64_t(diff.same)},
                {"settings", array(diff.settings, settingJson)},
                {"libraries", array(diff.libraries, libraryDiffJson)}};
}

} // namespace cudacc::commands
