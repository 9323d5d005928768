// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/trace/TraceOutput.h"
#include "driver/report/json/JsonParts.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::commands {

using namespace core;
using namespace report;
using namespace rtld;
using llvm::json::Object;

static llvm::StringRef word(LoadedBy by) {
  static constexpr llvm::StringLiteral words[] = {"path",    "already-loaded", "same-file",
                                                  "path",    "rpath",          "library-path",
                                                  "runpath", "cache",          "default"};
  return versions::entryOf<core::LoadedBy::Default>(words, by);
}

static llvm::json::Value requestJson(const TracedRequest &request) {
  Object out{
      {"name", fixed(request.name)},
      {"kind", request.byDlopen ? "dlopen" : "needed"},
      {"seen", !request.concluded},
      {"tried", array(request.tried, [](const TracedRequest::Tried &each) -> llvm::json::Value {
         return Object{{"by", word(each.by)}, {"path", fixed(each.path)}};
       })}};
  put(out, "asked_by", request.askedBy);
  if (request.by)
    out["by"] = word(*request.by);
  put(out, "element", request.element);
  put(out, "element_of", request.elementOf);
  put(out, "passed", request.passed);
  return out;
}

static llvm::json::Value missingJson(const TracedMissing &missing) {
  Object out{{"symbol", fixed(missing.symbol)}, {"importer", fixed(missing.importer)}};
  put(out, "version", missing.version);
  put(out, "first", missing.first);
  return out;
}

static llvm::json::Value bindingJson(const TracedBinding &binding) {
  Object out{{"from", fixed(binding.from)}, {"symbols", strings(binding.symbols)}};
  put(out, "passed", binding.passed);
  return out;
}

static llvm::json::Value tracedCopyJson(const TracedCopy &copy) {
  Object out{{"path", fixed(copy.path)},
             {"loaded", copy.loaded},
             {"requests", array(copy.requests, requestJson)},
             {"bindings", array(copy.bindings, bindingJson)},
             {"missing", array(copy.missing, missingJson)}};
  put(out, "soname", copy.soname);
  put(out, "version", copy.version);
  put(out, "cuda", copy.cuda);
  put(out, "evidence", copy.evidence);
  return out;
}

static llvm::json::Value tracedDifferenceJson(const TracedDifference &each) {
  Object out{{"name", fixed(each.name)}};
  put(out, "asked_by", each.askedBy);
  put(out, "loader", each.loader);
  put(out, "simulation", each.simulation);
  return out;
}

static llvm::json::Value processJson(const TracedProcess &process) {
  auto library = [](const TracedLibrary &each) -> llvm::json::Value {
    return Object{{"name", fixed(each.name)},
                  {"copies", array(each.copies, tracedCopyJson)},
                  {"not_found", array(each.notFound, requestJson)}};
  };
  Object out{
      {"pid", int64_t(process.pid)},
      {"parent", int64_t(process.parent)},
      {"program", fixed(process.program)},
      {"command", strings(process.words)},
      {"objects", int64_t(process.objects)},
      {"started", !process.neverStarted},
      {"libraries", array(process.libraries, library)},
      {"closed_again", strings(process.closedAgain)},
      {"simulation", Object{{"compared", int64_t(process.compared)},
                            {"agrees", process.differences.empty()},
                            {"differences", array(process.differences, tracedDifferenceJson)}}},
      {"unknown", strings(process.unknown)}};
  put(out, "library_path", process.libraryPath);
  return out;
}

llvm::json::Value traceJson(const TraceReport &report) {
  Object out{{"schema", 1},
             {"command", strings(report.words)},
             {"processes", array(report.processes, processJson)},
             {"seen", Object{{"processes", int64_t(report.allProcesses)},
                             {"objects", int64_t(report.allObjects)}}},
             {"unknown", strings(report.unknown)}};
  if (report.signal)
    out["signal"] = report.signal;
  else
    out["status"] = report.status;
  put(out, "module", report.module);
  return out;
}

} // namespace cudacc::commands
