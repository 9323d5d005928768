#include "driver/report/json/JsonFlags.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using llvm::json::Object;
using llvm::json::Value;

static Value libraryJson(const core::FlaggedLibrary &library) {
  Object out{{"name", fixed(library.name)}, {"coupled", library.coupled}};
  put(out, "soname", library.soname);
  put(out, "path", library.path);
  return out;
}

Value toJson(const core::RuntimeFlags &flags) {
  Object out{{"schema", 1},
             {"runtime", fixed(flags.runtime)},
             {"cflags", strings(flags.cflags)},
             {"libs", strings(flags.libs)},
             {"rpath", strings(flags.rpath)},
             {"libraries", array(flags.libraries, libraryJson)}};
  put(out, "line", flags.line);
  return out;
}

} // namespace cudacc::report
