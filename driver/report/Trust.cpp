#include "driver/report/Trust.h"
#include "driver/report/JsonParts.h"

namespace cudacc::report {

std::string trustList(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += printable(row.path) + (row.state == "trusted" ? "" : "  (" + row.state + ")") + "\n";
  return out;
}

std::string trustText(const TrustReport &report) {
  std::string out;
  for (const TrustReport::Row &row : report.rows)
    out += row.state + ": " + printable(row.path) + "\n";
  return out + "  kept in " + printable(report.list) + "\n";
}

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
