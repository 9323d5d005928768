#include "driver/commands/config/FlagsJson.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace report;
using llvm::json::Object;
using llvm::json::Value;

static Value libraryJson(const FlaggedLibrary &library) {
  Object out{{"name", fixed(library.name)}, {"coupled", library.coupled}};
  put(out, "soname", library.soname);
  put(out, "path", library.path);
  return out;
}

Value flagsJson(const RuntimeFlags &flags) {
  Object out{{"schema", 1},
             {"runtime", fixed(flags.runtime)},
             {"cflags", strings(flags.cflags)},
             {"libs", strings(flags.libs)},
             {"rpath", strings(flags.rpath)},
             {"libraries", array(flags.libraries, libraryJson)}};
  put(out, "line", flags.line);
  return out;
}

} // namespace cudacc::commands
