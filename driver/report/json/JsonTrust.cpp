#include "driver/report/json/JsonTrust.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

llvm::json::Value toJson(const TrustReport &report) {
  llvm::json::Object out{{"schema", 1},
                         {"paths", array(report.rows, [](const TrustReport::Row &row) {
                            return llvm::json::Value(llvm::json::Object{
                                {"path", llvm::json::fixUTF8(row.path)}, {"state", row.state}});
                          })}};
  if (!report.list.empty())
    out["list"] = llvm::json::fixUTF8(report.list);
  return out;
}

} // namespace cudacc::report
